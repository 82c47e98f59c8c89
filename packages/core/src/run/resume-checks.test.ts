// What a resume looks at before it drives, and in which order: whatever is refused has written nothing and left nobody holding it.
import { Policy } from "@harness/policy";
import { genesis, redactor, type Store, type StoredEvent, StoreError, seal, unseal } from "@harness/spec";
import { call, calls, fail, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { checkingSandbox } from "../gate/gates.test-support.js";
import { deferred, reader, writer } from "../tools/tools.test-support.js";
import { approve, deny, retry } from "./answers.js";
import { eventsIn, type Overrides, only, openStage, rowsIn, storeWith, theRun } from "./stage.test-support.js";

const stage = openStage();
const asking = Policy.permissive().defaults({ write: "ask" });

/** `rows` with an event behind them that only a later version knows. */
function withUnknown(rows: readonly StoredEvent[]): readonly StoredEvent[] {
  const unknown = { type: "future.happened", seq: rows.length + 1, step: 1, at: 0, content: { words: "new" } };
  const { stored } = seal(rows.at(-1) ?? genesis(theRun), unknown as never, redactor());
  return [...rows, stored];
}

describe("a log of a newer version", () => {
  it("is not gone on with: what it says beyond our words would be missing; it is named and nothing is written", async () => {
    const { store } = await stage.drive([fail("auth")]);
    const rows = withUnknown(await rowsIn(store));
    const newer = await storeWith(rows);

    await expect(stage.goOn(newer, [say("Done.")])).rejects.toMatchObject({
      code: "resume-refused",
      runId: theRun,
      message: expect.stringContaining('"future.happened"'),
    });
    expect(await rowsIn(newer)).toEqual(rows);
    expect(await newer.runs()).toMatchObject([{ lease: null }]);
  });

  it("is reported all the same when its run has ended", async () => {
    const { store, outcome } = await stage.drive([say("Done.")]);
    const [last, ...before] = [...(await rowsIn(store))].reverse() as [StoredEvent, ...StoredEvent[]];
    const rows = withUnknown(before.reverse());
    const end = seal(rows.at(-1) as StoredEvent, { ...unseal(last), seq: rows.length + 1 }, redactor()).stored;

    const again = await stage.goOn(await storeWith([...rows, end]), []);

    expect(again.outcome).toEqual(outcome);
  });

  it("is refused with the store's own error where the store is newer", async () => {
    const { store } = await stage.drive([fail("auth")]);
    const newer: Store = {
      ...store,
      acquire: () => Promise.reject(new StoreError("newer-format", "The store has format 9, this version reads 8.")),
    };

    await expect(stage.goOn(newer, [])).rejects.toMatchObject({
      code: "store-failed",
      kind: "newer-format",
      runId: theRun,
    });
  });
});

describe("a run without a boundary that can be read", () => {
  it.each([
    ["none", undefined],
    ["one with an act that nobody knows", { layers: [], defaults: { read: "allow", write: "maybe" } }],
    ["text", "allow everything"],
  ])("because its log has %s is not resumed, unless it is given one", async (_what, policy) => {
    const { store } = await stage.drive([fail("auth")], { tools: [writer()], policy: asking });
    const rows = (await rowsIn(store)).map((row) =>
      row.seq === 1 ? { ...row, facts: JSON.stringify({ ...JSON.parse(row.facts), policy }) } : row,
    );
    const broken = await storeWith(rows);

    await expect(stage.goOn(broken, [say("Done.")])).rejects.toMatchObject({
      code: "resume-refused",
      message: expect.stringContaining("policy"),
    });
    expect(await rowsIn(broken)).toEqual(rows);
  });
});

describe("a run that has ended", () => {
  const no = { decide: async () => deny("Never.", { final: true }) };
  const endings: readonly (readonly [ends: string, script: Parameters<typeof stage.drive>[0], options: Overrides])[] = [
    [
      "success",
      [call("look")],
      { contract: { verify: { type: "command", argv: ["check"] } }, sandbox: checkingSandbox(0) },
    ],
    ["finished", [say("Done.")], {}],
    ["stalled", Array.from({ length: 12 }, () => call("look")), {}],
    ["denied", [call("change")], { policy: asking, approver: no }],
    [
      "plan-rejected",
      [call("propose_plan", { steps: [{ intent: "a" }] })],
      { contract: { plan: true }, planGate: { review: async () => ({ type: "cancel" }) } },
    ],
  ];

  it.each(endings)("as %s is reported, whatever the resume brings: twice is once", async (ends, script, options) => {
    const tools = [reader(), writer()];
    const { store, result } = await stage.drive(script, { tools, ...options });
    expect(result.outcome.type).toBe(ends);
    const rows = await rowsIn(store);

    for (const brought of [{}, { policy: Policy.permissive() }, { decision: approve() }, { answer: "a" }]) {
      const again = await stage.goOn(store, [], { tools, ...brought });
      expect(again.result).toEqual(result);
      expect(again.provider.asked).toBe(0);
    }
    expect(await rowsIn(store)).toEqual(rows);
  });
});

describe("an answer", () => {
  it.each([
    ["decision", { decision: { type: "approved" } }],
    ["recovery", { recovery: { type: "completed" } }],
    ["verdict", { verdict: { type: "revise", correction: "" } }],
    ["answer", { answer: 7 }],
  ])("that cannot be read (%s) is a mistake of the caller's, and nothing is written", async (what, brought) => {
    const { store } = await stage.drive([call("change")], { tools: [writer()], policy: asking });
    const rows = await rowsIn(store);

    await expect(stage.goOn(store, [], { ...(brought as object), tools: [writer()] })).rejects.toMatchObject({
      code: "config-invalid",
      path: [what],
    });
    expect(await rowsIn(store)).toEqual(rows);
  });

  it.each([
    ["a verdict", { verdict: { type: "approve" } as const }],
    ["an answer", { answer: "red" }],
    ["a recovery", { recovery: retry() }],
  ])("of another kind (%s) than the run waits for is refused, and nothing is written", async (_what, brought) => {
    const { store } = await stage.drive([call("change")], { tools: [writer()], policy: asking });
    const rows = await rowsIn(store);

    await expect(stage.goOn(store, [], brought)).rejects.toMatchObject({ code: "resume-refused" });
    expect(await rowsIn(store)).toEqual(rows);
    for await (const answer of store.answers(theRun)) expect(answer).toBeUndefined();
  });

  it("of a resume that is refused for another reason is not left behind", async () => {
    const { store } = await stage.drive([call("change")], { tools: [writer()], policy: asking });

    await expect(stage.goOn(store, [], { decision: approve(), limits: { maxSteps: 0 } })).rejects.toMatchObject({
      code: "config-invalid",
    });
    for await (const answer of store.answers(theRun)) expect(answer).toBeUndefined();
  });
});

describe("two resumes with two decisions", () => {
  it("come to one: one drives, and the effect happens at most once", async () => {
    const made: unknown[] = [];
    const open = deferred();
    const tools = [
      writer("change", async () => {
        made.push(1);
        await open.promise;
      }),
    ];
    const script = [call("change"), say("Done.")];
    const { store } = await stage.drive(script, { tools, policy: asking });

    const first = stage.goOn(store, script, { tools, decision: approve() });
    await expect(stage.goOn(store, script, { tools, decision: deny("no") })).rejects.toMatchObject({
      code: "run-conflict",
    });
    open.resolve();

    expect((await first).outcome.type).toBe("finished");
    expect(made).toHaveLength(1);
    expect(only(await eventsIn(store), "approval.decided").filter(({ decision }) => decision !== "defer")).toHaveLength(
      1,
    );
  });
});

describe("the name that a call has for the outside", () => {
  it("is the same at every attempt, and another for every call, equal arguments or not", async () => {
    const names: string[] = [];
    const pay = writer("pay", async (_input, { id }) => void names.push(id), { recovery: "indeterminate" });
    const script = [
      calls(call("pay", { path: "ada" }), call("pay", { path: "ada" })),
      call("pay", { path: "ada" }),
      say(""),
    ];
    const { store, events } = await stage.drive(script, { tools: [pay] });
    expect(names).toEqual(["the-run/1.1", "the-run/1.2", "the-run/2.1"]);
    const second = only(events, "tool.started").find((event) => event.call === "1.2");
    names.length = 0;

    let cut = await storeWith(await rowsIn(store), second?.seq);
    for (let nth = 0; nth < 2; nth += 1) {
      const again = await stage.goOn(cut, script, { tools: [pay], recovery: retry() });
      const started = only(again.events, "tool.started").findLast((event) => event.call === "1.2");
      cut = await storeWith(await rowsIn(cut), started?.seq);
    }

    expect(names.filter((name) => name !== "the-run/2.1")).toEqual(["the-run/1.2", "the-run/1.2"]);
  });
});
