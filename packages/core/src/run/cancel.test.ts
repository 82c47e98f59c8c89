import { Policy } from "@harness/policy";
import type { RunEvent, RunOutcome, StoredEvent } from "@harness/spec";
import { call, calls, fail, fakeClock, type Script, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { hangAfter } from "../step/requests.test-support.js";
import { aborted, deferred, reader, turn, writer } from "../tools/tools.test-support.js";
import { approve } from "./answers.js";
import { eventsIn, only, openStage, rowsIn, statuses, storeWith, typesOf } from "./stage.test-support.js";

const stage = openStage();

const stopped = (reason?: string): RunOutcome => ({
  type: "cancelled",
  steps: 0,
  ...(reason === undefined ? {} : { reason }),
});

describe("a run that is cancelled", () => {
  it("before it begins asks nobody, and goes on when it is resumed", async () => {
    const signal = AbortSignal.abort("not now");
    const { outcome, provider, store, events } = await stage.drive([say("Done.")], { signal });

    expect(outcome).toEqual(stopped("not now"));
    expect(provider.asked).toBe(0);
    expect(only(events, "cancel.requested")).toMatchObject([{ content: { reason: "not now" } }]);
    expect((await stage.goOn(store, [say("Done.")])).outcome).toEqual({ type: "finished", steps: 1 });
  });

  it.each([
    ["words", "enough", "enough"],
    ["an error", new Error("the light went out"), "the light went out"],
    ["nothing", undefined, undefined],
    ["something else", 17, undefined],
  ])("with %s says why as far as that can", async (_what, reason, expected) => {
    const { outcome } = await stage.drive([say("Done.")], { signal: AbortSignal.abort(reason) });

    expect(outcome).toEqual(stopped(expected));
  });

  it("while the model answers aborts the request, and asks again when it is resumed", async () => {
    const stop = new AbortController();
    const { outcome, events, store } = await stage.drive([hangAfter(() => stop.abort("enough"))], {
      signal: stop.signal,
    });

    expect(outcome).toEqual(stopped("enough"));
    expect(only(events, "completion.failed")).toMatchObject([{ kind: "cancelled", retryInMs: null }]);
    expect((await stage.goOn(store, [say("Done.")])).outcome).toEqual({ type: "finished", steps: 1 });
  });

  it.each([
    ["read", reader],
    ["write", writer],
  ])("during a %s aborts it, and tells the model of it when it is resumed", async (_effect, make) => {
    const stop = new AbortController();
    const slow = make("slow", async (_input, { signal }) => {
      queueMicrotask(() => stop.abort("enough"));
      await aborted(signal);
      throw signal.reason;
    });
    const script = [calls(call("slow"), call("slow", { path: "b" })), say("Done.")];
    const contract = { limits: { maxParallelReads: 1 } };
    const { outcome, events, store } = await stage.drive(script, { tools: [slow], contract, signal: stop.signal });

    expect(outcome).toEqual(stopped("enough"));
    expect(statuses(events)).toEqual(["1.1: cancelled"]);
    const again = await stage.goOn(store, script, { tools: [make("slow")] });
    expect(again.outcome).toEqual({ type: "finished", steps: 2 });
    expect(statuses(again.events)).toEqual(["1.1: cancelled", "1.2: ok"]);
    expect(again.provider.requests[0]?.request.messages.at(-1)).toMatchObject({
      results: [{ isError: true, content: expect.stringContaining("cancelled") }, { call: "1.2" }],
    });
  });

  it("keeps what a call had done when it was told to stop", async () => {
    const stop = new AbortController();
    const half = writer("half", async () => {
      stop.abort();
      return { text: "half of it" };
    });
    const { events } = await stage.drive([call("half")], { tools: [half], signal: stop.signal });

    expect(only(events, "tool.finished")).toMatchObject([
      { status: "cancelled", changed: true, content: { text: "half of it" } },
    ]);
  });

  it("while someone is asked does not do what they approve of later", async () => {
    const stop = new AbortController();
    const answer = deferred<ReturnType<typeof approve>>();
    const signals: AbortSignal[] = [];
    let made = 0;
    const tools = [writer("change", async () => void made++)];
    const { outcome, events, store } = await stage.drive([call("change"), say("Done.")], {
      policy: Policy.permissive().defaults({ write: "ask" }),
      approver: {
        decide(_request, { signal }) {
          signals.push(signal);
          queueMicrotask(() => stop.abort("enough"));
          return answer.promise;
        },
      },
      tools,
      signal: stop.signal,
    });
    answer.resolve(approve());
    await turn();

    expect(outcome).toEqual(stopped("enough"));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(typesOf(events).slice(-3)).toEqual(["approval.requested", "cancel.requested", "run.paused"]);
    expect(await eventsIn(store)).toEqual(events);
    expect(made).toBe(0);
    const again = await stage.goOn(store, [call("change"), say("Done.")], { tools, decision: approve() });
    expect(again.outcome.type).toBe("finished");
    expect(made).toBe(1);
  });

  it("while it waits for another attempt waits no longer, and has all its attempts again", async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const { handle, store } = stage.begin([fail("server")], { clock, signal: stop.signal });
    while (clock.slept.length === 0) await clock.advance(0);
    stop.abort("enough");

    expect((await handle.result).outcome).toEqual(stopped("enough"));
    const attempts = [fail("server"), fail("server"), say("Done.")] as const;
    const again = await stage.goOn(store, [attempts], { clock: fakeClock(clock.now(), { autoAdvance: true }) });
    expect(again.outcome).toEqual({ type: "finished", steps: 1 });
  });

  it("takes no notice when it has ended already", async () => {
    const stop = new AbortController();
    const { outcome, store } = await stage.drive([say("Done.")], { signal: stop.signal });
    const rows = await rowsIn(store);
    stop.abort();
    await turn();

    expect(outcome).toEqual({ type: "finished", steps: 1 });
    expect(await rowsIn(store)).toEqual(rows);
  });
});

describe("the log of a run that was cancelled", () => {
  const tools = [reader(), writer()];
  const script = [
    calls(call("look"), call("change"), call("look")),
    [fail("server"), call("change")],
    say("Done."),
  ] as const;
  const clock = () => fakeClock(0, { autoAdvance: true });

  /** The events behind which the log can be cut without the run going on to its end. */
  async function deadEnds(rows: readonly StoredEvent[], replies: Script): Promise<readonly string[]> {
    const found: string[] = [];
    for (let kept = 1; kept <= rows.length; kept += 1) {
      const { outcome } = await stage.goOn(await storeWith(rows, kept), replies, { tools, clock: clock() });
      if (outcome.type !== "finished") found.push(`${kept}: ${rows[kept - 1]?.facts} → ${JSON.stringify(outcome)}`);
    }
    return found;
  }

  it("goes on to the same end from every event, whenever that was", async () => {
    const whole = await stage.drive(script, { tools, clock: clock() });
    const found: string[] = [];
    for (let nth = 1; nth < whole.events.length; nth += 1) {
      const stop = new AbortController();
      const observers = [{ onEvent: (_run: string, { seq }: RunEvent) => void (seq === nth && stop.abort()) }];
      const { outcome, store } = await stage.drive(script, { tools, clock: clock(), signal: stop.signal, observers });

      if (outcome.type === "cancelled") found.push(...(await deadEnds(await rowsIn(store), script)));
      else expect(outcome).toEqual(whole.outcome);
    }
    expect(found).toEqual([]);
  });

  it.each([1, 2])("goes on to the same end from every event when answer %i was under way", async (nth) => {
    const stop = new AbortController();
    const before = script.slice(0, nth - 1);
    const { store } = await stage.drive([...before, hangAfter(() => stop.abort())], { tools, signal: stop.signal });

    expect(await deadEnds(await rowsIn(store), [...before, say("Done.")])).toEqual([]);
  });
});
