import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { damage } from "./damage.test-support.js";
import { type Desk, desk } from "./desk.test-support.js";
import { asking, cutInExec, plan, question, ran, touch, waiting } from "./runs.test-support.js";

const list = (at: Desk, ...more: readonly string[]) => at.harness(["approvals", ...more]);

describe("harness approvals", () => {
  it("says that nothing waits, where nothing does, and makes no store", async () => {
    using at = desk();
    const before = await list(at);
    await ran(at);
    const after = await list(at);

    expect(before.printed).toMatch(/^No run in .*runs\.db waits for an answer\.\n$/);
    expect(after).toMatchObject({ code: 0, printed: before.printed });
    expect((await list(at, "--json")).printed).toBe("");
  });

  it("shows all that a call would do as it would be done, which rule asks, and the commands that answer", async () => {
    using at = desk();
    const policy = at.file("asks.json", {
      layers: [{ name: "team", rules: [{ act: "exec", effect: "ask", pattern: "touch*" }] }],
      defaults: { read: "allow", write: "allow", exec: "deny", net: "deny" },
    });
    await at.harness(["run", at.contract(), "--provider", at.provider([touch]), "--policy", policy]);
    const { id } = await at.stored();
    const { code, printed } = await list(at);
    const answer = `  harness approvals answer ${id} ${id}/1.1`;

    expect(code).toBe(0);
    expect(printed.split("\n")).toEqual([
      expect.stringMatching(`^${id}/1\\.1  waits for approval  \\d+ m?s$`),
      "  Goal:  Do it.",
      "  Tool:  exec",
      '  Would: run "touch" "touched" (needs approval by the rule "touch*" of layer "team")',
      "  With:  {",
      '           "argv": [',
      '             "touch",',
      '             "touched"',
      "           ]",
      "         }",
      `${answer} --approve`,
      `${answer} --deny 'why not'`,
      `  Nobody drives it. After the answer: harness resume ${id}`,
      "",
    ]);
  });

  it("lists what every run waits for, oldest first, and nothing that it says steers the terminal", async () => {
    using at = desk();
    const ids = [await waiting(at), await asking(at, question), await asking(at, plan)];
    const { printed } = await list(at);
    const heads = printed.split("\n").filter((line) => line.includes("  waits for "));

    expect(heads.map((line) => line.replace(/ {2}\d+ .*$/, ""))).toEqual([
      `${ids[0]}/1.1  waits for approval`,
      `${ids[1]}/1.1  waits for an answer`,
      `${ids[2]}/1.1  waits for a verdict on its plan`,
    ]);
    expect(printed).toContain(`create ${JSON.stringify(join(at.folder, "repo/a.txt"))}`);
    expect(printed).toContain("Asks:  Which \\u{1b}[2Jcolour?\n         For the door.\n    1. red\n    2. blue\n");
    expect(printed).toContain("  Plan:\n    1. Look.\n    2. Paint.\n");
    expect(printed).toContain(`${ids[1]}/1.1 --text 'the answer'\n`);
    expect(printed).toContain(`${ids[2]}/1.1 --plan revise --correction 'what to change'\n`);
    expect(printed).not.toContain("\x1b");
  });

  it("has calls of which nobody knows whether they took effect", async () => {
    using at = desk();
    const id = await cutInExec(at);
    await at.harness(["resume", id]);
    const { printed } = await list(at);

    expect(printed).toContain("waits for word of what became of a call");
    expect(printed).toContain("Nobody knows whether call 1.1 took effect.");
    expect(printed).toContain(`${id}/1.1/recovery/1 --recover completed --observation 'what it did'\n`);
  });

  it("prints one object a line with --json", async () => {
    using at = desk();
    const id = await waiting(at);
    const { printed } = await list(at, "list", "--json");

    expect(JSON.parse(printed)).toMatchObject({
      type: "approval",
      runId: id,
      request: `${id}/1.1`,
      tool: "write_file",
      input: { path: "a.txt", content: "x" },
      acts: [{ act: { type: "write", target: "a.txt" }, verdict: { effect: "ask" } }],
      isDriven: false,
      commands: [
        `harness approvals answer ${id} ${id}/1.1 --approve`,
        `harness approvals answer ${id} ${id}/1.1 --deny 'why not'`,
      ],
      resume: `harness resume ${id}`,
    });
  });

  it("exits with 5 for a run that cannot be read, and shows what the others wait for", async () => {
    using at = desk();
    const broken = await waiting(at);
    damage(at.storePath, "completion.finished", "content");
    const id = await waiting(at);
    const { code, printed, complained } = await list(at);

    expect(code).toBe(5);
    expect(printed).toContain(`${id}/1.1  waits for approval`);
    expect(printed).not.toContain(broken);
    expect(complained).toMatch(/^error: /);
  });
});
