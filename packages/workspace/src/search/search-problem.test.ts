import { describe, expect, it } from "vitest";
import { resolver } from "../paths/place.js";
import { rootFinder } from "../paths/root.js";
import { testFolder } from "../test-context.js";
import { isKeptFromUs } from "../walk/open-folder.js";
import { failureProblem } from "./search-problem.js";

describe("a search that its worker gave up", () => {
  it("says what stopped it, and what to do", async () => {
    await using folder = await testFolder();
    const start = await resolver(rootFinder())(folder.root, "read", "src");
    expect(failureProblem(start, { type: "system", code: "EMFILE" })).toMatchObject({
      code: "tool-failed",
      message: 'Could not search "src": too many files are open at the moment. Try again.',
    });
    expect(failureProblem(start, { type: "exchanged" })).toMatchObject({ code: "act-refused" });
    expect(failureProblem(start, { type: "too-complex", path: "a.js" })).toMatchObject({
      message:
        'Could not search "src": a line of "a.js" is too long for this pattern. Simplify it, or narrow the glob or the path.',
    });
  });
});

describe("what the system keeps from us", () => {
  const problem = (code: string) => Object.assign(new Error(code), { code, syscall: "open" });

  it("is left out, unless it is short of something or the fault is ours", () => {
    expect(["EACCES", "ENOENT", "EIO"].map(problem).map(isKeptFromUs)).toEqual([true, true, true]);
    expect([problem("EMFILE"), problem("ENOMEM"), new TypeError("ours")].map(isKeptFromUs)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
