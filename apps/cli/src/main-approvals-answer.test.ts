import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Desk, desk } from "./desk.test-support.js";
import { asking, cutInExec, plan, question, touch, waiting } from "./runs.test-support.js";

const answer = (at: Desk, ...more: readonly string[]) =>
  at.harness(["approvals", "answer", ...more], { env: { USER: "ada" } });

describe("harness approvals answer", () => {
  it("approves what a run waits for, by whoever is logged in, and a resume without flags goes on with it", async () => {
    using at = desk();
    const id = await waiting(at);
    const given = await answer(at, id, `${id}/1.1`, "--approve");
    const left = await at.harness(["approvals"]);
    const { code, printed } = await at.harness(["resume", id]);

    expect(given).toMatchObject({
      code: 0,
      printed: `answered ${id}/1.1: ada approved it\nNobody drives the run. To go on with it: harness resume ${id}\n`,
    });
    expect(left.printed).toMatch(/^No run/);
    expect({ code, approved: printed.includes("✓ approved by ada") }).toEqual({ code: 0, approved: true });
    expect(existsSync(join(at.folder, "repo/a.txt"))).toBe(true);
  });

  it("finds the request by itself where only one is of its kind, and names them where there are none", async () => {
    using at = desk();
    const id = await waiting(at);
    const wrong = await answer(at, id, "--text", "red");
    const right = await answer(at, id, "--approve");

    expect(wrong).toMatchObject({
      code: 2,
      complained: expect.stringContaining(`It waits for: ${id}/1.1 (approval).`),
    });
    expect(right.code).toBe(0);
  });

  it("has the call made with other arguments, and rules remembered", async () => {
    using at = desk();
    await at.harness(["run", at.contract(), "--provider", at.provider([touch, touch])]);
    const { id } = await at.stored();
    const input = at.file("other.json", { argv: ["touch", "other"] });
    const given = await answer(at, id, "--approve", "--input", input, "--remember", "exec touch*");
    const { code } = await at.harness(["resume", id]);
    const decided = (await at.events()).findLast(({ type }) => type === "approval.decided");

    expect(given.printed).toContain("ada approved it, with other arguments, and the like for the rest of the run\n");
    expect(code).toBe(0);
    expect(decided).toMatchObject({
      remember: [{ act: "exec", effect: "allow", pattern: "touch*" }],
      content: { input: { argv: ["touch", "other"] } },
    });
    expect(["other", "touched"].map((name) => existsSync(join(at.folder, "repo", name)))).toEqual([true, true]);
  });

  it("denies for good with --final", async () => {
    using at = desk();
    const id = await waiting(at);
    await answer(at, id, "--deny", "not here", "--final", "--by", "the boss");
    const { code, printed } = await at.harness(["resume", id]);

    expect(code).toBe(1);
    expect(printed).toContain("denied by the boss: not here; that ends the run");
  });

  it.each([
    ["a question", question, ["--text", "blue"], "ada answered: blue", "✓ answered by ada: blue"],
    ["a plan", plan, ["--plan", "approve"], "ada approved the plan", "✓ plan approved by ada"],
    [
      "a plan",
      plan,
      ["--plan", "revise", "--correction", "Twice."],
      "ada sent the plan back: Twice.",
      "↻ plan sent back by ada: Twice.",
    ],
    ["a plan", plan, ["--plan", "cancel"], "ada called the run off", "✗ called off by ada"],
  ] as const)("answers %s, with %j given %j", async (_what, first, flags, said, told) => {
    using at = desk();
    const id = await asking(at, first);
    const given = await answer(at, id, ...flags);
    const { printed } = await at.harness(["resume", id]);

    expect(given.printed).toContain(said);
    expect(printed).toContain(told);
  });

  it("says what became of a call", async () => {
    using at = desk();
    const id = await cutInExec(at);
    await at.harness(["resume", id]);
    const given = await answer(at, id, "--recover", "completed", "--observation", "It was there.");
    const { code, printed } = await at.harness(["resume", id]);

    expect(given.printed).toContain(`answered ${id}/1.1/recovery/1: ada said what the call did: It was there.\n`);
    expect({ code, told: printed.includes("It was there. (said by ada)") }).toEqual({ code: 0, told: true });
  });

  it("takes the first answer, and tells whoever comes second who gave which", async () => {
    using at = desk();
    const id = await waiting(at);
    await answer(at, id, "--deny", "not there");
    const second = [await answer(at, id, `${id}/1.1`, "--approve"), await answer(at, id, "--approve")];

    for (const { code, complained } of second) {
      expect(code).toBe(2);
      expect(complained).toContain(`ada has answered ${id}/1.1 before, and denied it: not there.\n`);
    }
    expect((await at.harness(["resume", id, "--approve"])).complained).toContain("ada has already answered");
  });

  it.each([
    [["--approve"], /does not wait for an answer of type "approval" to nothing\/9\.9/],
    [[], /No answer was given\. Pass --approve/],
    [["--approve", "--text", "yes"], /cannot be used with option/],
    [["--approve", "--final"], /--final means something with --deny <reason> only/],
    [["--deny", "no", "--remember", "exec npm"], /--remember means something with --approve only/],
    [["--approve", "--remember", "everything"], /It must be an act and a pattern/],
    [["--approve", "--input", "gone.json"], /Could not read the arguments .*gone\.json/],
    [["--plan", "revise"], /Pass --correction <text>/],
    [["--recover", "completed"], /Pass --observation <text>/],
    [["--approve", "--by", "resume"], /stands for a part of the run/],
  ] as const)("exits with 2 for %j, and leaves nothing", async (flags, message) => {
    using at = desk();
    const id = await waiting(at);
    const { code, complained } = await answer(at, id, "nothing/9.9", ...flags);

    expect(code).toBe(2);
    expect(complained).toMatch(message);
    expect((await at.harness(["approvals"])).printed).toContain("waits for approval");
  });
});
