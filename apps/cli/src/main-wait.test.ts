import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { desk, type ModuleReply } from "./desk.test-support.js";
import { plan, question, waiting, write } from "./runs.test-support.js";
import { started } from "./started.test-support.js";

const onTerminal = { isTTY: true, columns: 200, env: { NO_COLOR: "1" } } as const;
const sign = "Waits for an answer from anywhere.";

describe("a run that needs an answer", () => {
  it("stays with --wait, says how to answer, and goes on when somebody does", async () => {
    using at = desk();
    const driver = started(at, ["run", at.contract(), "--provider", at.provider([write("a.txt")]), "--wait"], sign);
    await driver.shown;
    const { id } = await at.stored();
    const listed = await at.harness(["approvals"]);
    const given = await at.harness(["approvals", "answer", id, "--approve", "--by", "ada"]);
    const { code, printed } = await driver.answer;

    expect(listed.printed).toContain("  Its driver waits and takes the answer at once.\n");
    expect(given).toMatchObject({
      code: 0,
      printed: expect.stringMatching(
        /The process that (drives the run goes on with it|drove the run took it, .*)\.\n$/,
      ),
    });
    expect(code, printed).toBe(0);
    expect(printed).toContain(`  harness approvals answer ${id} ${id}/1.1 --approve\n`);
    expect((await at.events()).map(({ type }) => type)).not.toContain("run.paused");
  });

  it.each([
    ["question", question, { questions: true }, ["--text", "blue"], "answered by ada: blue"],
    ["plan", plan, { plan: true }, ["--plan", "approve"], "plan approved by ada"],
  ] as const)("waits for what is said to its %s as well", async (_what, first, rest, flags, told) => {
    using at = desk();
    const driver = started(at, ["run", at.contract(rest), "--provider", at.provider([first]), "--wait"], sign);
    await driver.shown;
    await at.harness(["approvals", "answer", (await at.stored()).id, ...flags, "--by", "ada"]);

    expect(await driver.answer).toMatchObject({ code: 0, printed: expect.stringContaining(told) });
  });

  it("stays on a terminal, where somebody sees it, and leaves it open when it is stopped", async () => {
    using at = desk();
    const args = ["run", at.contract(), "--provider", at.provider([write("a.txt")])];
    const driver = started(at, args, sign, onTerminal);
    (await driver.shown).signal("SIGINT");
    const stopped = await driver.answer;
    const { id } = await at.stored();
    const resumed = started(at, ["resume", id], sign, onTerminal);
    await resumed.shown;
    await at.harness(["approvals", "answer", id, "--approve"]);

    expect(stopped.code).toBe(130);
    expect((await resumed.answer).code).toBe(0);
  });

  it("pauses with --no-wait, and where nobody looks", async () => {
    using at = desk();
    const args = () => ["run", at.contract(), "--provider", at.provider([write("a.txt")])];
    const codes = [(await at.harness([...args(), "--no-wait"], onTerminal)).code, (await at.harness(args())).code];

    expect(codes).toEqual([3, 3]);
  });
});

describe("--ask", () => {
  const reply = (
    at: ReturnType<typeof desk>,
    replies: readonly ModuleReply[],
    rest: object,
    typed: readonly string[],
  ) => at.harness(["run", at.contract(rest), "--provider", at.provider(replies), "--ask"], { ...onTerminal, typed });

  it("asks at this terminal, and y is yes", async () => {
    using at = desk();
    const { code, printed } = await reply(at, [write("a.txt")], {}, ["y"]);

    expect(code).toBe(0);
    expect(printed).toContain(`Would: create ${JSON.stringify(join(at.folder, "repo/a.txt"))}`);
    expect(printed).toContain("Approve? [y/N] ");
    expect(existsSync(join(at.folder, "repo/a.txt"))).toBe(true);
  });

  it("takes anything else for no, and the run goes on", async () => {
    using at = desk();
    const { code, printed } = await reply(at, [write("a.txt")], {}, ["what?"]);

    expect(code).toBe(0);
    expect(printed).toContain("was not approved: It was denied at the terminal.");
    expect(existsSync(join(at.folder, "repo/a.txt"))).toBe(false);
  });

  it("asks questions and shows plans, too", async () => {
    using at = desk();
    const rest = { questions: true, plan: true };
    const { code, printed } = await reply(at, [question, plan], rest, ["2", "y"]);

    expect(code).toBe(0);
    expect(printed).toContain("answered by responder: blue");
    expect(printed).toContain("plan approved by plan-gate");
  });

  it("lets the status line stay away while somebody is asked", async () => {
    using at = desk();
    const args = ["run", at.contract(), "--provider", at.provider([write("a.txt")]), "--ask"];
    const typed = (async function* () {
      // Longer than the line takes to be drawn: an answer comes from elsewhere.
      await new Promise<never>(() => {});
      yield "";
    })();
    const input = { isTTY: true, [Symbol.asyncIterator]: () => typed };
    const driver = started(at, args, "Approve? [y/N] ", { ...onTerminal, input });
    const terminal = await driver.shown;
    await at.harness(["approvals", "answer", (await at.stored()).id, "--approve", "--by", "ada"]);
    const { code, printed } = await driver.answer;
    const asked = printed.slice(printed.indexOf("Approve?"), printed.indexOf("It was answered elsewhere."));

    expect(code).toBe(0);
    expect(asked).toBe("Approve? [y/N] \n");
    expect(printed).toContain("✓ approved by ada");
    expect(terminal.isListening()).toBe(false);
  });

  it("is refused where nobody can type, since an input that ends would deny", async () => {
    using at = desk();
    const id = await waiting(at);
    const { code, complained } = await at.harness(["resume", id, "--ask"], { isTTY: true });

    expect(code).toBe(2);
    expect(complained).toContain("--ask needs a terminal to ask at and to type at.");
    expect((await at.harness(["approvals"])).printed).toContain("waits for approval");
  });
});
