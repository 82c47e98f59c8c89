// Two who may answer at once: one in the process, one who leaves an answer in the store.
import { Policy } from "@harness/policy";
import type { Answer, Approver, Decision, RequestId, Store } from "@harness/spec";
import { call, calls, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { approve, deny } from "../run/answers.js";
import { eventsIn, only, openStage, rowsIn, statuses, storeWith, theRun } from "../run/stage.test-support.js";
import { memoryStore } from "../store/memory-store.js";
import { aborted, deferred, turn, writer } from "../tools/tools.test-support.js";

const stage = openStage();
const asking = Policy.permissive().defaults({ write: "ask" });
const script = [call("change"), say("Done.")];

function answerOf(decision: unknown, more: Partial<Record<keyof Answer, unknown>> = {}): Answer {
  return { type: "approval", request: "the-run/1.1" as RequestId, by: "ops", decision, ...more } as Answer;
}

function counted() {
  const made: unknown[] = [];
  return { made, tools: [writer("change", async ({ path }) => void made.push(path))] };
}

/** Says when it is asked, and answers when it is told to. */
function slowApprover() {
  const asked = deferred<AbortSignal>();
  const answer = deferred<Decision>();
  const approver: Approver = {
    decide(_request, { signal }) {
      asked.resolve(signal);
      return answer.promise;
    },
  };
  return { approver, asked: asked.promise, answer };
}

async function inboxOf(store: Store): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for await (const answer of store.answers(theRun)) answers.push(answer);
  return answers;
}

describe("an answer from elsewhere", () => {
  it("counts when it comes first, and the approver is told that it is not wanted any more", async () => {
    const { approver, asked, answer } = slowApprover();
    const { made, tools } = counted();
    const { handle, store } = stage.begin(script, { tools, policy: asking, approver });
    const signal = await asked;
    expect(only(await eventsIn(store), "approval.requested"), "durable before anyone is asked").toHaveLength(1);

    expect(await store.answer(theRun, answerOf(approve()))).toBe(true);
    await aborted(signal);
    answer.resolve(deny("too late"));

    expect((await handle.result).outcome.type).toBe("finished");
    expect(made).toEqual(["file"]);
    expect(only(await eventsIn(store), "approval.decided")).toMatchObject([{ decision: "approve", by: "ops" }]);
  });

  it("that comes behind the approver's is told so, and changes nothing", async () => {
    const { made, tools } = counted();
    const { store, events } = await stage.drive(script, {
      tools,
      policy: asking,
      approver: { decide: async () => deny("no") },
    });

    expect(await store.answer(theRun, answerOf(approve()))).toBe(false);
    expect(await inboxOf(store)).toEqual([answerOf(deny("no"), { by: "approver" })]);
    expect(only(events, "approval.decided")).toMatchObject([{ decision: "deny", by: "approver" }]);
    expect(made).toEqual([]);
  });

  it("that was stored in the moment in which the approver answers is the one that counts", async () => {
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      // Somebody is faster by one write.
      answer: async (run, answer) => {
        await inner.answer(run, answerOf(deny("mine")));
        return inner.answer(run, answer);
      },
      answers: (run, options) => inner.answers(run, options),
    };
    const { made, tools } = counted();
    const { events } = await stage.drive(script, {
      tools,
      store,
      policy: asking,
      approver: { decide: async () => approve() },
    });

    expect(only(events, "approval.decided")).toMatchObject([
      { decision: "deny", by: "ops", content: { reason: "mine" } },
    ]);
    expect(made).toEqual([]);
  });

  it("settles what an approver that fails or defers at the same time leaves open", async () => {
    const { made, tools } = counted();
    const store = memoryStore();
    const approver: Approver = {
      async decide() {
        await store.answer(theRun, answerOf(approve()));
        throw new Error("offline");
      },
    };

    const { outcome } = await stage.drive(script, { tools, store, policy: asking, approver });

    expect(outcome.type).toBe("finished");
    expect(made).toEqual(["file"]);
  });

  it.each<[what: string, answer: Answer]>([
    ["for another request", answerOf(approve(), { request: "the-run/1.2" })],
    ["for the same call of another run", answerOf(approve(), { request: "another-run/1.1" })],
    ["of another type", answerOf(approve(), { type: "recovery" })],
    ["that is a bare deferral", answerOf({ type: "defer" })],
    ["that says yes in other words", answerOf({ type: "approved" })],
    [
      "that wants a rule remembered which can match nothing",
      answerOf(approve({ remember: [{ act: "net", effect: "allow", pattern: "https://x" }] })),
    ],
    ["of nobody", answerOf(approve(), { by: "" })],
  ])("%s is left alone", async (_what, answer) => {
    const { made, tools } = counted();
    const { store, outcome } = await stage.drive(script, { tools, policy: asking });
    await store.answer(theRun, answer);

    expect((await stage.goOn(store, [], { tools })).outcome).toEqual(outcome);
    expect(made).toEqual([]);
    expect(await inboxOf(store)).toEqual([answer]);

    const approver = { decide: async () => approve() };
    expect((await stage.goOn(store, script, { tools, approver })).outcome.type, "it blocks nobody").toBe("finished");
  });

  it("is used once: the next call like it is asked about again", async () => {
    const { made, tools } = counted();
    const twice = [calls(call("change"), call("change")), say("Done.")];
    const { store } = await stage.drive(twice, { tools, policy: asking });
    await store.answer(theRun, answerOf(approve()));

    const { outcome } = await stage.goOn(store, twice, { tools });

    expect(outcome).toMatchObject({ type: "awaiting-approval", requestId: "the-run/1.2" });
    expect(made).toEqual(["file"]);
  });

  it("may change the arguments, have rules remembered, and end the run, as one in the process may", async () => {
    const rule = { act: "write", effect: "allow", pattern: "*" } as const;
    const { made, tools } = counted();
    const three = [call("change"), call("change", { path: "b" }), say("Done.")];
    const first = await stage.drive(three, { tools, policy: asking });
    await first.store.answer(theRun, answerOf(approve({ input: { path: "other" }, remember: [rule] })));
    const { outcome, result } = await stage.goOn(first.store, three, { tools });
    expect([outcome.type, made, result.remembered]).toEqual(["finished", ["other", "b"], [rule]]);

    const second = await stage.drive(three, { tools, policy: asking });
    await second.store.answer(theRun, answerOf(deny("Stop.", { final: true })));
    expect((await stage.goOn(second.store, three, { tools })).outcome).toEqual({ type: "denied", steps: 0 });
  });

  it("crosses no deny, not by other arguments and not when the deny has landed meanwhile", async () => {
    const { made, tools } = counted();
    const first = await stage.drive(script, { tools, policy: asking.denyWrite("secret") });
    await first.store.answer(theRun, answerOf(approve({ input: { path: "secret" } })));
    const edited = await stage.goOn(first.store, script, { tools });
    const second = await stage.drive(script, { tools, policy: asking });
    await second.store.answer(theRun, answerOf(approve()));
    const late = await stage.goOn(second.store, script, { tools, policy: asking.denyWrite("file") });

    expect([...statuses(edited.events), ...statuses(late.events)]).toEqual(["1.1: refused", "1.1: refused"]);
    expect(made).toEqual([]);
  });
});

describe("an answer that was given while nobody drove", () => {
  it("is taken by the resume before anyone is asked again", async () => {
    const { made, tools } = counted();
    const { store } = await stage.drive(script, { tools, policy: asking });
    await store.answer(theRun, answerOf(approve()));
    let asked = 0;
    const approver: Approver = {
      async decide() {
        asked += 1;
        return deny("no");
      },
    };

    const { outcome, events } = await stage.goOn(store, script, { tools, approver });

    expect([outcome.type, asked, made]).toEqual(["finished", 0, ["file"]]);
    expect(only(events, "approval.decided").at(-1)).toMatchObject({ decision: "approve", by: "ops" });
  });

  it("is taken when the driver died with the request open, answered or not", async () => {
    const { made, tools } = counted();
    const whole = await stage.drive(script, { tools, policy: asking, approver: { decide: async () => approve() } });
    const rows = await rowsIn(whole.store);
    const requested = only(whole.events, "approval.requested")[0]?.seq;
    made.length = 0;

    const open = await storeWith(rows, requested);
    expect((await stage.goOn(open, script, { tools })).outcome.type).toBe("awaiting-approval");
    const answered = await storeWith(rows, requested);
    await answered.answer(theRun, answerOf(approve(), { by: "approver" }));
    const { outcome, events } = await stage.goOn(answered, script, { tools });

    expect([outcome.type, made]).toEqual(["finished", ["file"]]);
    expect(only(events, "approval.requested"), "nobody is asked twice").toHaveLength(1);
  });
});

describe("a resume with a decision", () => {
  it("leaves it in the inbox like everyone else", async () => {
    const { tools } = counted();
    const { store } = await stage.drive(script, { tools, policy: asking });

    await stage.goOn(store, script, { tools, decision: approve() });

    expect(await inboxOf(store)).toEqual([answerOf(approve(), { by: "resume" })]);
  });

  it("is refused when somebody has decided otherwise, and says who; their decision counts then", async () => {
    const { made, tools } = counted();
    const { store } = await stage.drive(script, { tools, policy: asking });
    const rows = await rowsIn(store);
    await store.answer(theRun, answerOf(deny("Not today.")));

    await expect(stage.goOn(store, script, { tools, decision: approve() })).rejects.toMatchObject({
      code: "resume-refused",
      message: expect.stringMatching(/ops has already answered "deny"/),
    });
    expect(await rowsIn(store)).toEqual(rows);

    const { events } = await stage.goOn(store, script, { tools });
    expect([statuses(events), made]).toEqual([["1.1: refused"], []]);
  });

  it("goes on when somebody has decided the same, in whose name it is recorded", async () => {
    const { tools } = counted();
    const { store } = await stage.drive(script, { tools, policy: asking });
    await store.answer(theRun, answerOf(approve()));

    const { events } = await stage.goOn(store, script, { tools, decision: approve() });

    expect(only(events, "approval.decided").at(-1)).toMatchObject({ decision: "approve", by: "ops" });
  });

  it("that defers leaves the request open, whoever else could be asked", async () => {
    const { tools } = counted();
    const { store, outcome } = await stage.drive(script, { tools, policy: asking });
    const approver = { decide: async () => approve() };

    const again = await stage.goOn(store, [], { tools, approver, decision: { type: "defer" } });

    expect(again.outcome).toEqual(outcome);
    expect(await inboxOf(store)).toEqual([]);
  });
});

describe("a run that is stopped while somebody is asked", () => {
  it("does nothing when the approver says yes afterwards; a resume asks again", async () => {
    const stop = new AbortController();
    const { approver, asked, answer } = slowApprover();
    const { made, tools } = counted();
    const { handle, store } = stage.begin(script, { tools, policy: asking, approver, signal: stop.signal });
    await asked;

    stop.abort("enough");
    answer.resolve(approve());
    expect((await handle.result).outcome).toMatchObject({ type: "cancelled" });
    await turn();

    expect(made).toEqual([]);
    expect(await inboxOf(store)).toEqual([]);
    expect((await stage.goOn(store, [], { tools })).outcome.type).toBe("awaiting-approval");
  });

  it("has what was left in the moment in which it stopped for the resume", async () => {
    const stop = new AbortController();
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      async answer(...given) {
        const isFirst = await inner.answer(...given);
        stop.abort("enough");
        return isFirst;
      },
    };
    const { made, tools } = counted();
    const approver = { decide: async () => approve() };
    const { outcome } = await stage.drive(script, { tools, store, policy: asking, approver, signal: stop.signal });
    expect([outcome.type, made]).toEqual(["cancelled", []]);

    expect((await stage.goOn(inner, script, { tools })).outcome.type).toBe("finished");
    expect(made).toEqual(["file"]);
  });
});

describe("the inbox", () => {
  it("is not read by a run that asks nothing", async () => {
    const inner = memoryStore();
    let reads = 0;
    const store: Store = {
      ...inner,
      answers(...given) {
        reads += 1;
        return inner.answers(...given);
      },
    };

    await stage.drive([call("change"), say("Done.")], { store, tools: [writer()] });

    expect(reads).toBe(0);
  });

  it("holds no secret that an approver gives away", async () => {
    const { tools } = counted();
    const { store } = await stage.drive(script, {
      tools,
      policy: asking,
      environment: { API_TOKEN: "sesame-open-now" },
      approver: { decide: async () => deny("it is sesame-open-now") },
    });

    expect(await inboxOf(store)).toMatchObject([{ decision: { reason: "it is [redacted:API_TOKEN]" } }]);
  });

  it("that cannot be read ends the run as a store that cannot write does", async () => {
    const broken: Store = {
      ...memoryStore(),
      answers: () => {
        throw new Error("gone");
      },
    };

    await expect(stage.drive(script, { tools: [writer()], store: broken, policy: asking })).rejects.toThrow("gone");
  });
});
