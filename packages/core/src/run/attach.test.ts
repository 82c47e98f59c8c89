import { Policy } from "@harness/policy";
import type { Answer, CallId, PlanId, QuestionId, RequestId, RunEvent } from "@harness/spec";
import { call, calls, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../store/memory-store.js";
import { deferred, writer } from "../tools/tools.test-support.js";
import { approve, completed, deny } from "./answers.js";
import { attach } from "./attach.js";
import { only, openStage, rowsIn, statuses, storeWith, theRun, typesOf } from "./stage.test-support.js";

const stage = openStage();
const asking = Policy.permissive().defaults({ write: "ask" });
const never = { decide: () => new Promise<never>(() => {}) };
const script = [call("change", { path: "a" }), say("Done.")];
const request = "the-run/1.1" as RequestId;
const yes: Answer = { type: "approval", request, by: "ops", decision: approve() };

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("a seat beside a live run", () => {
  it("sees it from its start, is told what it waits for, and lets it go on", async () => {
    const store = memoryStore();
    const seat = attach(store, theRun);
    const stop = new AbortController();
    const seen: RunEvent[] = [];
    const { handle } = stage.begin(script, { store, tools: [writer()], policy: asking, approver: never });

    for await (const event of seat.events({ follow: stop.signal })) {
      seen.push(event);
      if (event.type !== "approval.requested") continue;
      const waiting = await seat.waiting();
      expect(waiting).toEqual([
        {
          type: "approval",
          request,
          runId: theRun,
          call: "1.1",
          since: event.at,
          goal: "do it",
          workspace: stage.root,
          tool: "change",
          input: { path: "a" },
          acts: [{ act: { type: "write", target: "a" }, verdict: { effect: "ask" } }],
        },
      ]);
      expect(await seat.answer(yes)).toBe(true);
      expect(await seat.answer({ ...yes, decision: deny("late") })).toBe(false);
      expect(await seat.waiting(), "it is answered").toEqual([]);
    }

    expect((await handle.result).outcome.type).toBe("finished");
    expect(typesOf(seen)).toEqual((await rowsIn(store)).map(({ facts }) => JSON.parse(facts).type));
    expect(only(seen, "approval.decided")).toMatchObject([{ decision: "approve", by: "ops" }]);
    expect(await seat.waiting()).toEqual([]);
  });

  it("reads what there is and ends, when it is not told to follow", async () => {
    const { store, events } = await stage.drive(script, { tools: [writer()], policy: asking });
    const seat = attach(store, theRun);

    expect(await collect(seat.events())).toEqual(events);
    expect(await collect(seat.events({ after: 3 }))).toEqual(events.slice(3));
  });

  it("answers as one, when many answer at once", async () => {
    const { store } = await stage.drive(script, { tools: [writer()], policy: asking });

    const taken = await Promise.all(
      Array.from({ length: 9 }, (_, nth) => attach(store, theRun).answer({ ...yes, by: `person ${nth}` })),
    );

    expect(taken.filter(Boolean)).toEqual([true]);
  });
});

describe("a seat beside a run that nobody drives", () => {
  it("shows a question and a plan whole, and takes their answers for the resume", async () => {
    const { store, outcome } = await stage.drive(
      [
        call("propose_plan", { steps: [{ intent: "ask" }] }),
        call("ask_question", { question: "Which?", choices: ["a"] }),
        say("Done."),
      ],
      { contract: { plan: true, questions: true } },
    );
    const seat = attach(store, theRun);
    expect(outcome.type).toBe("awaiting-plan");
    expect(await seat.waiting()).toMatchObject([{ type: "plan", request, steps: [{ intent: "ask" }], goal: "do it" }]);
    expect(
      await seat.answer({
        type: "plan",
        request: request as string as PlanId,
        by: "ops",
        verdict: { type: "approve" },
      }),
    ).toBe(true);

    const asked = await stage.goOn(store, [
      say("unused"),
      call("ask_question", { question: "Which?", choices: ["a"] }),
    ]);
    expect(asked.outcome.type).toBe("awaiting-answer");
    const question = "the-run/2.1" as QuestionId;
    expect(await seat.waiting()).toMatchObject([
      { type: "question", request: question, question: "Which?", choices: ["a"] },
    ]);
    expect(await seat.answer({ type: "question", request: question, by: "ops", text: "a" })).toBe(true);
    expect((await stage.goOn(store, [say("1"), say("2"), say("Done.")])).outcome.type).toBe("finished");
  });

  it("shows what nobody knows the end of, each time under a name of its own", async () => {
    const sent: unknown[] = [];
    const send = writer("send", async () => void sent.push(1), { recovery: "indeterminate" });
    const mail = [call("send", { path: "mail" }), say("Done.")];
    const whole = await stage.drive(mail, { tools: [send] });
    const rows = await rowsIn(whole.store);
    const store = await storeWith(rows, only(whole.events, "tool.started")[0]?.seq);
    const seat = attach(store, theRun);
    expect(await seat.waiting(), "nobody has looked yet").toEqual([]);

    await stage.goOn(store, [], { tools: [send] });
    const [waiting] = await seat.waiting();
    const first = "the-run/1.1/recovery/1" as RequestId;
    expect(waiting).toMatchObject({ type: "recovery", request: first, tool: "send", input: { path: "mail" } });
    expect(waiting?.type === "recovery" && waiting.acts).toMatchObject([{ act: { type: "write", target: "mail" } }]);
    await seat.answer({ type: "recovery", request: first, by: "ops", decision: { type: "retry" } });
    const again = await stage.goOn(store, mail, { tools: [send] });
    expect(only(again.events, "recovery.decided")).toMatchObject([{ decision: "retry", by: "ops" }]);

    const retried = only(again.events, "tool.started")[1]?.seq;
    const cut = await storeWith(await rowsIn(store), retried);
    await cut.answer(theRun, { type: "recovery", request: first, by: "ops", decision: { type: "retry" } });
    expect((await stage.goOn(cut, [], { tools: [send] })).outcome, "one answer is for one time").toEqual({
      ...{ type: "awaiting-recovery", callId: "1.1" as CallId, steps: 0 },
    });
    expect(await attach(cut, theRun).waiting()).toMatchObject([{ request: "the-run/1.1/recovery/2" }]);
    const end = await stage.goOn(cut, mail, { tools: [send], recovery: completed("sent") });
    expect([end.outcome.type, sent.length]).toEqual(["finished", 2]);
  });

  it("keeps an approval and a recovery of one call apart", async () => {
    const send = writer("send", undefined, { recovery: "indeterminate" });
    const mail = [call("send"), say("Done.")];
    const { store } = await stage.drive(mail, { tools: [send], policy: asking });
    await attach(store, theRun).answer(yes);
    const { events } = await stage.goOn(store, mail, { tools: [send] });
    const cut = await storeWith(await rowsIn(store), only(events, "tool.started")[0]?.seq);
    await cut.answer(theRun, yes);

    expect((await stage.goOn(cut, [], { tools: [send] })).outcome.type).toBe("awaiting-recovery");
    const [waiting] = await attach(cut, theRun).waiting();
    expect(waiting?.type).toBe("recovery");
    expect(
      await attach(cut, theRun).answer({
        ...{ type: "recovery", request: waiting?.request as RequestId, by: "ops" },
        decision: { type: "completed", observation: "It was sent." },
      }),
    ).toBe(true);
    expect(statuses((await stage.goOn(cut, mail, { tools: [send] })).events)).toEqual(["1.1: ok"]);
  });

  it("shows the two of one step in their turn", async () => {
    const two = [calls(call("change", { path: "a" }), call("change", { path: "b" })), say("Done.")];
    const { store } = await stage.drive(two, { tools: [writer()], policy: asking });
    const seat = attach(store, theRun);
    const first = await seat.waiting();
    await seat.answer(yes);
    await stage.goOn(store, two, { tools: [writer()] });
    const second = await seat.waiting();

    expect([...first, ...second].map((waiting) => waiting.request)).toEqual(["the-run/1.1", "the-run/1.2"]);
  });
});

describe("what is refused as an answer", () => {
  it.each<[what: string, answer: unknown, code: string]>([
    ["a bare deferral", { ...yes, decision: { type: "defer" } }, "config-invalid"],
    ["an answer in nobody's name", { ...yes, by: " " }, "config-invalid"],
    ["an answer in the approver's name", { ...yes, by: "approver" }, "config-invalid"],
    ["an answer in the name of a look at the world", { ...yes, by: "probe" }, "config-invalid"],
    ["no answer", "yes", "config-invalid"],
    ["an answer to a request that nobody made", { ...yes, request: "the-run/2.1" }, "resume-refused"],
    ["an answer to a request of another run", { ...yes, request: "another-run/1.1" }, "resume-refused"],
    [
      "an answer of another type",
      { type: "question", request: request as string as QuestionId, by: "ops", text: "yes" },
      "resume-refused",
    ],
  ])("%s, and nothing is written", async (_what, answer, code) => {
    const { store } = await stage.drive(script, { tools: [writer()], policy: asking });

    await expect(attach(store, theRun).answer(answer as Answer)).rejects.toMatchObject({ code });
    expect(await collect(store.answers(theRun))).toEqual([]);
  });

  it("an answer to a run that has ended, or that nobody knows", async () => {
    const { store } = await stage.drive(script, { tools: [writer()] });

    await expect(attach(store, theRun).answer(yes)).rejects.toMatchObject({ code: "resume-refused" });
    await expect(attach(store, "nobody").answer(yes)).rejects.toMatchObject({ code: "resume-refused" });
    expect(await attach(store, "nobody").waiting()).toEqual([]);
  });
});

describe("a seat", () => {
  it("reads a log that grows from where it was, also when a reading fails in between", async () => {
    const asked = deferred();
    const approver = { decide: () => new Promise<never>(() => asked.resolve()) };
    const inner = memoryStore();
    let reads: number[] = [];
    let isBroken = false;
    const store: typeof inner = {
      ...inner,
      read(run, options) {
        if (isBroken) throw new Error("busy");
        if (!options?.follow) reads.push(options?.after ?? 0);
        return inner.read(run, options);
      },
    };
    stage.begin(script, { store: inner, tools: [writer()], policy: asking, approver });
    await asked.promise;
    const seat = attach(store, theRun);

    await seat.waiting();
    isBroken = true;
    await expect(seat.waiting()).rejects.toThrow("busy");
    isBroken = false;
    reads = [];

    expect(await seat.waiting()).toHaveLength(1);
    expect(reads).toEqual([(await rowsIn(inner)).length]);
  });
});
