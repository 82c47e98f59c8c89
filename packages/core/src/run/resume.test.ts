import { runId } from "@harness/spec";
import { call, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../store/memory-store.js";
import { reader } from "../tools/tools.test-support.js";
import { approve, completed, deny, retry } from "./answers.js";
import { only, openStage, rowsIn, storeWith, theRun } from "./stage.test-support.js";

const stage = openStage();
const threeSteps = { limits: { maxSteps: 3 } };
const reads = (count: number) => Array.from({ length: count }, (_, nth) => call("look", { nth }));

describe("a resume is refused", () => {
  it("for a run that nobody knows", async () => {
    const store = memoryStore();

    await expect(stage.goOn(store, [])).rejects.toMatchObject({ code: "resume-refused", runId: theRun });
    expect(await store.runs()).toEqual([]);
  });

  it("for a run under another's tree, which names the root", async () => {
    const store = memoryStore();
    const root = runId("the-root");
    await store.create({ id: root, root, parent: null, createdAt: 0 });
    await store.create({ id: theRun, root, parent: root, createdAt: 0 });

    await expect(stage.goOn(store, [])).rejects.toMatchObject({
      code: "resume-refused",
      message: expect.stringContaining("the-root"),
    });
  });

  it("for a run that was created and never started, which nobody holds afterwards", async () => {
    const store = memoryStore();
    await store.create({ id: theRun, root: theRun, parent: null, createdAt: 0 });

    await expect(stage.goOn(store, [])).rejects.toMatchObject({ code: "resume-refused" });
    expect(await store.runs()).toMatchObject([{ lease: null }]);
  });

  it.each([
    ["a decision", { decision: approve() }],
    ["a denial", { decision: deny("no") }],
    ["a recovery", { recovery: retry() }],
    ["an account of what happened", { recovery: completed("sent") }],
  ])("for %s that the run does not wait for, and writes nothing", async (_what, answer) => {
    const { store } = await stage.drive([call("look")], { tools: [reader()], contract: { limits: { maxSteps: 1 } } });
    const rows = await rowsIn(store);

    await expect(stage.goOn(store, [], { ...answer, tools: [reader()] })).rejects.toMatchObject({
      code: "resume-refused",
    });
    expect(await rowsIn(store)).toEqual(rows);
  });

  it("for limits that are wrong, and writes nothing", async () => {
    const { store } = await stage.drive(reads(3), { tools: [reader()], contract: threeSteps });
    const rows = await rowsIn(store);

    await expect(stage.goOn(store, [], { limits: { maxSteps: 0 } })).rejects.toMatchObject({
      code: "config-invalid",
      path: ["maxSteps"],
      runId: theRun,
    });
    expect(await rowsIn(store)).toEqual(rows);
  });

  it("for a run whose words were emptied, which names the event and writes nothing", async () => {
    const { store } = await stage.drive(reads(3), { tools: [reader()], contract: threeSteps });
    const emptied = (await rowsIn(store)).map((row) => (row.seq === 4 ? { ...row, content: null } : row));
    const shelved = await storeWith(emptied);

    await expect(stage.goOn(shelved, [], { limits: { maxSteps: 9 } })).rejects.toMatchObject({
      code: "resume-refused",
      message: expect.stringContaining("event 4"),
    });
    expect(await rowsIn(shelved)).toEqual(emptied);
  });

  it("for a log that cannot be read, with the store's own error", async () => {
    const { store } = await stage.drive(reads(3), { tools: [reader()], contract: threeSteps });
    const broken = (await rowsIn(store)).map((row) => (row.seq === 4 ? { ...row, content: "{" } : row));

    await expect(stage.goOn(await storeWith(broken), [])).rejects.toMatchObject({
      code: "store-failed",
      kind: "corrupt",
    });
  });

  it("for a workspace that is gone", async () => {
    const { store } = await stage.drive(reads(3), { tools: [reader()], contract: threeSteps });
    const rows = await rowsIn(store);
    const moved = rows.map((row) => ({ ...row, facts: row.facts.replace(stage.root, `${stage.root}-gone`) }));

    await expect(stage.goOn(await storeWith(moved), [])).rejects.toMatchObject({ code: "resume-refused" });
  });
});

describe("a run that has ended", () => {
  it("is reported as often as it is asked for, without asking or writing anything", async () => {
    const { store, result } = await stage.drive([call("look"), say("Done.")], { tools: [reader()] });
    const rows = await rowsIn(store);

    for (let nth = 0; nth < 2; nth += 1) {
      const again = await stage.goOn(store, []);
      expect(again.result).toEqual(result);
      expect(again.provider.asked).toBe(0);
    }
    expect(await rowsIn(store)).toEqual(rows);
  });
});

describe("limits", () => {
  it.each([
    ["steps", { maxSteps: 3 }, { maxSteps: 5 }],
    ["tokens", { maxTokens: 44 }, { maxTokens: 74 }],
  ])(
    "of %s that are the same report the same and ask nobody; larger ones let the run go on",
    async (limit, first, then) => {
      const { store, outcome } = await stage.drive(reads(9), { tools: [reader()], contract: { limits: first } });
      expect(outcome).toEqual({ type: "budget", limit, steps: 3 });

      const same = await stage.goOn(store, [], { tools: [reader()] });
      expect(same.outcome).toEqual(outcome);
      expect(same.provider.asked).toBe(0);

      const more = await stage.goOn(store, reads(9), { tools: [reader()], limits: then });
      expect(more.outcome).toEqual({ type: "budget", limit, steps: 5 });
      expect(more.provider.asked).toBe(2);
      expect(more.result.usage.totalTokens).toBe(75);
    },
  );

  it("that a resume brings are recorded and hold from there", async () => {
    const { store } = await stage.drive(reads(3), { tools: [reader()], contract: threeSteps });
    await stage.goOn(store, reads(4), { tools: [reader()], limits: { maxSteps: 4 } });

    const { outcome, events } = await stage.goOn(store, []);

    expect(outcome).toEqual({ type: "budget", limit: "steps", steps: 4 });
    expect(only(events, "run.resumed").map(({ limits }) => limits.maxSteps)).toEqual([4, 4]);
  });

  it("of time count the time between processes", async () => {
    let now = 1_000;
    const clock = { now: () => now, sleep: async () => {}, alarm: () => () => {} };
    const contract = { limits: { maxSteps: 1, maxDurationMs: 5_000 } };
    const { store } = await stage.drive(reads(1), { tools: [reader()], contract, clock });
    now = 7_000;

    const { outcome, provider } = await stage.goOn(store, reads(2), {
      tools: [reader()],
      limits: { maxSteps: 9 },
      clock,
    });

    expect(outcome).toEqual({ type: "budget", limit: "time", steps: 1 });
    expect(provider.asked).toBe(0);
  });
});
