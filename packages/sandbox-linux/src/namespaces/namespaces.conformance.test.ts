// The port's promises, kept by this rung. Working folders lie outside of the temporary one, which is the command's own.
import { mkdtempSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describeSandbox } from "@harness/testing/sandbox";
import { afterAll, describe, it } from "vitest";
import { linuxSandbox } from "../index.js";
import { namespacesRung } from "./namespaces-rung.js";

const { problem } = await namespacesRung().probe();

if (problem === null) {
  const folder = mkdtempSync(join(homedir(), ".harness-test-"));
  const sandbox = linuxSandbox({ only: "linux-namespaces" });
  describeSandbox("namespaces", {
    folder,
    open: () => sandbox({ workspace: folder, mode: "workspace-write", egress: "deny" }),
  });
  afterAll(() => rmSync(folder, { recursive: true }));
} else {
  describe.skip(`namespaces [${problem}]`, () => it("keeps the port's promises", () => {}));
}
