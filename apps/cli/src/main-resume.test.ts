import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { desk, openPolicy } from "./desk.test-support.js";
import { asking, cutInExec, plan, question, waiting, write } from "./runs.test-support.js";

function results(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "tool.finished" ? [`${event.call} ${event.status}`] : []));
}

describe("harness resume", () => {
  it("needs nothing but the id: what is asked for approval of is approved and done", async () => {
    using at = desk();
    const id = await waiting(at);
    const { code, printed } = await at.harness(["resume", id, "--approve"], { cwd: "/" });

    expect(code, printed).toBe(0);
    expect(printed).toContain(`Run ${id}: Do it.`);
    expect(printed).toMatch(/resumed after a pause of/);
    expect(printed).toContain("✓ approved by resume");
    expect(existsSync(join(at.folder, "repo/a.txt"))).toBe(true);
  });

  it("tells the model why something was denied, and goes on", async () => {
    using at = desk();
    const { code, printed } = await at.harness(["resume", await waiting(at), "--deny", "not there"]);

    expect(code).toBe(0);
    expect(printed).toContain("write a.txt was not approved: not there");
    expect(results(await at.events())).toEqual(["1.1 refused"]);
  });

  it("ends the run with --final", async () => {
    using at = desk();
    const { code, printed } = await at.harness(["resume", await waiting(at), "--deny", "never", "--final"]);

    expect(code).toBe(1);
    expect(printed).toContain("denied by resume: never; that ends the run");
  });

  it("makes the call with other arguments", async () => {
    using at = desk();
    const input = at.file("other.json", { path: "b.txt", content: "y" });
    const { code } = await at.harness(["resume", await waiting(at), "--approve", "--input", input]);

    expect(code).toBe(0);
    expect(["a.txt", "b.txt"].map((name) => existsSync(join(at.folder, "repo", name)))).toEqual([false, true]);
  });

  it.each([
    [question, ["--answer", "blue"], "✓ answered by resume: blue", 0],
    [plan, ["--plan", "approve"], "✓ plan approved by resume", 0],
    [plan, ["--plan", "revise", "--correction", "Twice."], "↻ plan sent back by resume: Twice.", 1],
    [plan, ["--plan", "cancel"], "✗ called off by resume; that ends the run", 1],
  ] as const)("answers what the run waits with: %o, by %j", async (first, flags, told, expected) => {
    using at = desk();
    const { code, printed } = await at.harness(["resume", await asking(at, first), ...flags]);

    expect(code, printed).toBe(expected);
    expect(printed).toContain(told);
  });

  it("goes on with a larger limit, and again with the one after it", async () => {
    using at = desk();
    const contract = at.contract({
      verify: { type: "file-contains", path: "b.txt", text: "x" },
      limits: { maxSteps: 1 },
    });
    const policy = at.file("policy.json", openPolicy);
    const provider = at.provider([write("a.txt"), write("c.txt"), write("b.txt")]);
    const first = await at.harness(["run", contract, "--provider", provider, "--policy", policy]);
    const { id } = await at.stored();
    const second = await at.harness([
      "resume",
      id,
      "--max-steps",
      "2",
      "--max-tokens",
      "1000",
      "--max-duration-ms",
      "900000",
    ]);
    const third = await at.harness(["resume", id, "--max-steps", "3"]);

    expect([first.code, second.code, third.code]).toEqual([1, 1, 0]);
    expect((await at.events()).filter(({ type }) => type === "run.resumed")).toMatchObject([
      { limits: { maxSteps: 2, maxTokens: 1000, maxDurationMs: 900_000 } },
      { limits: { maxSteps: 3, maxTokens: 1000, maxDurationMs: 900_000 } },
    ]);
  });

  it("exits with 3 when nobody knows what became of a call, and names the three answers", async () => {
    using at = desk();
    const id = await cutInExec(at);
    const { code, printed } = await at.harness(["resume", id]);

    expect(code).toBe(3);
    expect(printed).toContain("interrupted: call 1.1, exec (exec touch touched)");
    expect(printed).toContain("nobody knows whether call 1.1, exec (exec touch touched), took effect");
    for (const flag of ["--recover retry", "--recover completed --observation 'what it did'", "--recover abort"]) {
      expect(printed).toContain(`harness resume ${id} ${flag}\n`);
    }
  });

  it.each([
    [["--recover", "retry"], 0, ["1.1 ok"], "so it is made again (said by resume)"],
    [
      ["--recover", "completed", "--observation", "It was there."],
      0,
      ["1.1 ok"],
      "it is not repeated: It was there. (said by resume)",
    ],
    [["--recover", "abort"], 1, [], "denied after"],
  ] as const)("does with such a call what %j says", async (flags, expected, finished, said) => {
    using at = desk();
    const id = await cutInExec(at);
    await at.harness(["resume", id]);
    const { code, printed } = await at.harness(["resume", id, ...flags]);

    expect(code, printed).toBe(expected);
    expect(results(await at.events())).toEqual(finished);
    expect(printed).toContain(said);
  });

  it("reports a run that has ended, touches nothing, and exits as it ended", async () => {
    using at = desk();
    await at.harness(["run", at.contract(), "--provider", at.provider([])]);
    const { id, events } = await at.stored();
    const { code, printed } = await at.harness(["resume", id, "--provider", "./gone.mjs"]);

    expect(code).toBe(0);
    expect(printed).toContain("has ended, and nothing was done: finished after 1 step");
    expect((await at.stored()).events).toEqual(events);
  });

  it("takes another provider, and remembers that one", async () => {
    using at = desk();
    await at.harness(["run", at.contract(), "--provider", at.provider([{ throws: "down" }])]);
    const { id } = await at.stored();
    const other = at.provider([{ calls: [{ name: "list_dir", arguments: {} }] }, { throws: "down, too" }]);
    const second = await at.harness(["resume", id, "--provider", other]);
    const third = await at.harness(["resume", id]);

    expect(second.code).toBe(5);
    expect(third.printed).toContain("down, too");
  }, 60_000);

  it("exits with 2 for an answer that nobody waits for, and for a run that does not exist", async () => {
    using at = desk();
    const id = await waiting(at);
    const retried = await at.harness(["resume", id, "--recover", "retry"]);
    const unknown = await at.harness(["resume", "nobody"]);

    expect(retried).toMatchObject({ code: 2, complained: expect.stringContaining("does not wait for a recovery") });
    expect(unknown).toMatchObject({ code: 2, complained: expect.stringContaining("There is no run nobody") });
    expect(retried.complained).not.toContain("To go on");
  });
});
