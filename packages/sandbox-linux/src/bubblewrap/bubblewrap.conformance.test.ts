// The port's promises and the attacks, on the strongest rung. Working folders lie outside of the temporary one, which is the
// command's own.
import { describeSandbox } from "@harness/testing/sandbox";
import { afterAll, it } from "vitest";
import { bubblewrapped, hasBubblewrap, needsBubblewrap } from "../test-bubblewrap.js";
import { testFolder } from "../test-folder.js";

if (hasBubblewrap) {
  const folder = testFolder();
  afterAll(() => folder[Symbol.dispose]());
  describeSandbox("bubblewrap", {
    folder: folder.path,
    open: ({ workspace, ...needs }) => bubblewrapped(workspace, {}, needs),
  });
} else {
  it.skip(`bubblewrap${needsBubblewrap}`);
}
