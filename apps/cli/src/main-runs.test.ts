import { describe, expect, it } from "vitest";
import { damage } from "./damage.test-support.js";
import { type Desk, desk } from "./desk.test-support.js";
import { asking, cutInExec, plan, question, ran, waiting } from "./runs.test-support.js";

describe("harness runs", () => {
  it("says that there are none, where there are none", async () => {
    using at = desk();

    expect(await at.harness(["runs"])).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^There are no runs in /),
    });
    expect(await at.harness(["runs", "--json"])).toMatchObject({ code: 0, printed: "" });
  });

  it("lists them, newest first, with what became of each", async () => {
    using at = desk();
    const first = await ran(at);
    await at.harness([
      "run",
      at.contract({ goal: "Do\nmore." }),
      "--provider",
      at.provider([{ calls: [{ name: "exec", arguments: { argv: ["x"] } }] }]),
    ]);
    const { printed } = await at.harness(["runs"]);
    const [, newest = "", older = ""] = printed.split("\n");

    expect(newest).toMatch(/ paused +awaiting-approval +0 .* Do more\.$/);
    expect(older).toMatch(new RegExp(`^${first} +ended +finished +2 .* Do it\\.$`));
  });

  it("says that there are more than it shows, and how to see them", async () => {
    using at = desk();
    await ran(at);
    await ran(at);
    const { printed } = await at.harness(["runs", "--limit", "1"]);

    expect(printed).toMatch(/^id .*\n\S+ +ended .*\n\nThere are more: harness runs --limit 5\n$/);
    expect((await at.harness(["runs", "--limit", "1", "--json"])).printed.trim().split("\n")).toHaveLength(1);
    expect((await at.harness(["runs", "--limit", "2"])).printed).not.toContain("There are more");
  });

  it("tells a run that was cut short from one that is driven", async () => {
    using at = desk();
    await ran(at);
    const id = await at.cutAfter(({ type }) => type === "tool.started");
    const { printed } = await at.harness(["runs", "--json"]);

    expect(JSON.parse(printed)).toEqual({
      id,
      state: "interrupted",
      outcome: null,
      steps: 1,
      createdAt: 1,
      goal: "Do it.",
      tokens: 15,
      cost: null,
    });
  });
});

describe("harness runs --resumable", () => {
  const list = async (at: Desk, ...more: readonly string[]) =>
    (await at.harness(["runs", "--resumable", ...more])).printed;

  it("says that no run waits, where none does", async () => {
    using at = desk();
    const before = await list(at);
    await ran(at);

    expect(before).toMatch(/^No run in .*runs\.db waits to be resumed\.\n$/);
    expect(await list(at)).toBe(before);
    expect(await list(at, "--json")).toBe("");
  });

  it("names what is asked for approval of, and both answers", async () => {
    using at = desk();
    const id = await waiting(at);

    expect(await list(at)).toMatch(
      new RegExp(
        `^${id}  paused  .*\n  Do it\\.\n  awaiting-approval after 0 steps: it asks for approval: write a\\.txt\n` +
          `  harness resume ${id} --approve\n  harness resume ${id} --deny 'why not'\n$`,
      ),
    );
  });

  it("names the question, and the steps of a plan", async () => {
    using at = desk();
    const asks = await asking(at, question);
    const proposes = await asking(at, plan);
    const printed = await list(at);

    expect(printed).toContain("it asks a question: Which colour?\n");
    expect(printed).toContain(`  harness resume ${asks} --answer 'the answer'\n`);
    expect(printed).toContain("it asks for approval of its plan: Look.; Paint.\n");
    expect(printed).toContain(`  harness resume ${proposes} --plan revise --correction 'what to change'\n`);
  });

  it("doubles the budget that is used up, whatever it was raised to in between", async () => {
    using at = desk();
    const limits = { maxSteps: 1, maxTokens: 20 };
    const contract = at.contract({ limits });
    const provider = at.provider(Array(9).fill({ calls: [{ name: "list_dir", arguments: {} }] }));
    await at.harness(["run", contract, "--provider", provider]);
    const { id } = await at.stored();
    const outOfSteps = await list(at);
    await at.harness(["resume", id, "--max-steps", "9"]);
    await at.harness(["resume", id, "--max-tokens", "40"]);

    expect(outOfSteps).toContain(`harness resume ${id} --max-steps 2\n`);
    expect(await list(at)).toContain(`harness resume ${id} --max-tokens 80\n`);
  });

  it("lists a run that was cut short, and asks for a provider where none was recorded", async () => {
    using at = desk();
    const id = await cutInExec(at);
    const cut = await list(at);
    damage(at.storePath, "run.started", "provider");

    expect(cut).toContain("  cut short in step 1: the process that drove it died\n");
    expect(cut).toMatch(new RegExp(`  harness resume ${id}\n$`));
    expect(await list(at)).toContain(`harness resume ${id} --provider '<module>'\n`);
  });

  it("has the three answers to a call of which nobody knows what became", async () => {
    using at = desk();
    const id = await cutInExec(at);
    await at.harness(["resume", id]);
    const [row = ""] = (await list(at, "--json")).split("\n");

    expect(JSON.parse(row)).toMatchObject({
      id,
      state: "paused",
      outcome: { type: "awaiting-recovery" },
      waitsFor: "awaiting-recovery after 0 steps: somebody must say whether call 1.1 took effect",
      commands: ["--recover retry", "--recover completed --observation 'what it did'", "--recover abort"].map(
        (flag) => `harness resume ${id} ${flag}`,
      ),
    });
  });

  it("leaves out a run that is being driven", async () => {
    using at = desk();
    const provider = at.provider([{ hangs: true }]);
    let listed = Promise.resolve("");
    await at.harness(["run", at.contract(), "--provider", provider], {
      onOut(text, { signal }) {
        if (!text.includes("Step 1")) return;
        listed = list(at).finally(() => signal("SIGINT"));
      },
    });

    expect(await listed).toMatch(/^No run/);
    expect(await list(at)).toContain("cancelled after 0 steps: stopped by SIGINT");
  });
});
