import { ConfigError, type ProviderFailure } from "@harness/spec";
import { call, fail, fakeClock, hang, type Reply, say, stream } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { eventsIn, only, openStage, rowsIn, storeWith } from "../run/stage.test-support.js";
import { reader } from "../tools/tools.test-support.js";

const stage = openStage();

type Attempts = readonly [Reply, ...Reply[]];

/** Drives one reply with these attempts at it; waits pass by themselves. */
async function attempt(attempts: Attempts, limits: object = {}, startMs = 0) {
  const clock = fakeClock(startMs, { autoAdvance: true });
  const driven = await stage.drive([attempts], { clock, contract: { limits } });
  return { ...driven, slept: clock.slept, asked: driven.provider.asked };
}

const failures = (events: Awaited<ReturnType<typeof attempt>>["events"]) =>
  only(events, "completion.failed").map(({ attempt, kind, retryInMs }) => ({ attempt, kind, retryInMs }));

describe("an attempt that fails", () => {
  it("is made again after a wait that doubles, as often as the contract lets it", async () => {
    const { outcome, slept, asked, events } = await attempt(
      [fail("server"), fail("transport"), fail("timeout"), say("Done.")],
      {
        maxRetries: 3,
      },
    );

    expect(outcome).toEqual({ type: "finished", steps: 1 });
    expect(slept).toEqual([500, 1_000, 2_000]);
    expect(asked).toBe(4);
    expect(failures(events)).toEqual([
      { attempt: 1, kind: "server", retryInMs: 500 },
      { attempt: 2, kind: "transport", retryInMs: 1_000 },
      { attempt: 3, kind: "timeout", retryInMs: 2_000 },
    ]);
    expect(only(events, "completion.started").map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  });

  it("waits no longer than the contract's longest wait", async () => {
    const { slept } = await attempt([fail("server"), fail("server"), fail("server"), say("Done.")], {
      maxRetries: 3,
      retryBaseMs: 4_000,
      retryMaxMs: 6_000,
    });

    expect(slept).toEqual([4_000, 6_000, 6_000]);
  });

  it("waits as long as the server asks, even above the longest wait, and not less than it asks", async () => {
    const { slept, outcome } = await attempt([
      fail("rate-limited", { retryAfterMs: 60_000 }),
      fail("rate-limited", { retryAfterMs: 15 * 60_000 }),
      say("Done."),
    ]);

    expect(slept).toEqual([60_000, 900_000]);
    expect(outcome.type).toBe("finished");
  });

  it("is not worth waiting for when the server asks for more than a quarter of an hour", async () => {
    const { outcome, asked, slept } = await attempt([fail("rate-limited", { retryAfterMs: 15 * 60_000 + 1 })]);

    expect(outcome).toMatchObject({ type: "failed", isRetryable: true, error: { kind: "rate-limited" } });
    expect([asked, slept]).toEqual([1, []]);
  });

  it("is not made again when the budget of time does not last until then", async () => {
    const enough = await attempt([fail("server"), say("Done.")], { maxDurationMs: 500 });
    const short = await attempt([fail("server"), say("Done.")], { maxDurationMs: 499 });

    expect(enough.outcome.type).toBe("finished");
    expect(short.outcome).toMatchObject({ type: "failed", steps: 0, isRetryable: true, error: { kind: "server" } });
  });

  it("ends the run as failed when none is left, with the last failure's words", async () => {
    const { outcome, asked } = await attempt([
      fail("server"),
      fail("server"),
      fail("transport", { message: "The line is dead." }),
    ]);

    expect(asked).toBe(3);
    expect(outcome).toEqual({
      type: "failed",
      steps: 0,
      isRetryable: true,
      error: { code: "provider-failed", kind: "transport", message: "The line is dead." },
    });
  });

  it.each<ProviderFailure>(["auth", "request", "quota", "context-overflow"])(
    "as %s is not made again",
    async (kind) => {
      const { outcome, asked } = await attempt([fail(kind), say("Done.")], { maxRetries: 3 });

      expect(outcome).toMatchObject({ type: "failed", isRetryable: false, error: { code: "provider-failed", kind } });
      expect(asked).toBe(1);
    },
  );

  it("keeps what the vendor said of it in the trace", async () => {
    const { events } = await attempt([
      fail("rate-limited", { status: 429, vendorCode: "slow_down", retryAfterMs: 7 }),
      say(""),
    ]);

    expect(only(events, "completion.failed")).toMatchObject([
      { status: 429, vendorCode: "slow_down", retryInMs: 7, usage: null, isRetryable: true },
    ]);
  });

  it("sends the same bytes again", async () => {
    const { provider, events } = await attempt([fail("server"), say("Done.")]);

    const [first, second] = provider.requests;
    expect(JSON.stringify(second?.request)).toBe(JSON.stringify(first?.request));
    expect(new Set(only(events, "completion.started").map(({ digest }) => digest)).size).toBe(1);
  });

  it("leaves nothing of what it streamed in the trace", async () => {
    const { events, result } = await attempt([
      fail("transport", { after: ["half a secret thought"] }),
      stream("whole"),
    ]);

    expect(JSON.stringify(events)).not.toContain("half a secret thought");
    expect(result.text).toBe("whole");
  });
});

describe("a provider that breaks its promises", () => {
  const throwing: Reply = () => {
    throw new TypeError("x is not a function");
  };

  it.each<[how: string, reply: Reply]>([
    ["throws at once", throwing],
    ["rejects with any error", fail(new Error("socket hang up"))],
    ["rejects with no error at all", () => Promise.reject("oops")],
  ])("and %s is taken to have lost the line", async (_how, reply) => {
    const { outcome, events } = await attempt([reply, say("Done.")]);

    expect(outcome).toEqual({ type: "finished", steps: 1 });
    expect(failures(events)).toEqual([{ attempt: 1, kind: "transport", retryInMs: 500 }]);
  });

  it("and rejects with another error of ours is not asked again", async () => {
    const { outcome, asked } = await attempt([fail(new ConfigError("No key was given.")), say("Done.")]);

    expect(outcome).toMatchObject({ type: "failed", isRetryable: false, error: { message: "No key was given." } });
    expect(asked).toBe(1);
  });

  it.each<[what: string, reply: Reply]>([
    ["stops for calls and makes none", { text: "Let me", stop: "tool-calls" }],
    ["says nothing at all", { usage: null }],
    ["answers with nothing", (() => undefined) as unknown as Reply],
    ["has no list of calls", { text: "x", calls: null as never }],
    ["has a call that is none", { calls: [null as never] }],
  ])("and %s is asked again, and never believed", async (_what, reply) => {
    const { provider, outcome, events } = await attemptRaw(reply);

    expect(failures(events)).toEqual([{ attempt: 1, kind: "malformed", retryInMs: 0 }]);
    expect(outcome).toEqual({ type: "finished", steps: 1 });
    expect(provider.asked).toBe(1);
  });

  /** One raw completion, then the script: what the double would fill in stays as it is. */
  async function attemptRaw(reply: Reply) {
    let asked = 0;
    const answer = async (): Promise<never> => {
      asked += 1;
      const value = typeof reply === "function" ? reply({} as never, {} as never) : reply;
      return (value && {
        text: null,
        reasoning: null,
        model: null,
        stop: "end",
        finishReason: null,
        ttftMs: null,
        calls: [],
        usage: null,
        ...value,
      }) as never;
    };
    const { handle, provider, store } = stage.begin([say("Done.")], {
      provider: {
        spec: 1,
        name: "raw",
        endpoints: [],
        complete: (request, options) => (asked === 0 ? answer() : provider.complete(request, options)),
      },
      contract: { limits: { retryBaseMs: 0 } },
    });
    const { outcome } = await handle.result;
    return { outcome, provider, events: await eventsIn(store) };
  }
});

describe("an answer", () => {
  it("is in the log with who gave it, beside who was asked", async () => {
    const gave = { model: "m-2026-01-01", servedBy: "second", requestId: "req_1", finishReason: "stop", ttftMs: 12 };

    const { events } = await stage.drive([{ ...say("Done."), ...gave }], { contract: { model: "m" } });

    expect(only(events, "run.started")).toMatchObject([{ provider: "scripted" }]);
    expect(only(events, "completion.started")).toMatchObject([{ model: "m" }]);
    expect(only(events, "completion.finished")).toMatchObject([gave]);
  });
});

describe("an answer that takes too long", () => {
  it("is aborted at its deadline and asked for again", async () => {
    const clock = fakeClock();
    const { handle, store } = stage.begin([[hang("slow"), say("Done.")]], {
      clock,
      contract: { limits: { completionTimeoutMs: 5_000, retryBaseMs: 0 } },
    });
    await clock.untilWaiting(2);
    await clock.advance(4_999);
    expect(only(await eventsIn(store), "completion.failed")).toEqual([]);
    await clock.advance(1);

    expect((await handle.result).outcome).toEqual({ type: "finished", steps: 1 });
    expect(failures(await eventsIn(store))).toEqual([{ attempt: 1, kind: "timeout", retryInMs: 0 }]);
  });

  it("is left behind by a provider that does not listen", async () => {
    const clock = fakeClock();
    const deaf: Reply = () => new Promise(() => {});
    const { handle } = stage.begin([[deaf, say("Done.")]], {
      clock,
      contract: { limits: { completionTimeoutMs: 5_000, retryBaseMs: 0 } },
    });
    await clock.untilWaiting(2);
    await clock.advance(5_000);
    await clock.advance(5_000);

    expect((await handle.result).outcome).toEqual({ type: "finished", steps: 1 });
  });
});

describe("an attempt that was left behind", () => {
  it("shows nothing any more, though it still streams: what is shown belongs to the attempt that is under way", async () => {
    const clock = fakeClock();
    const shown: string[] = [];
    let late = () => {};
    const deaf: Reply = (_request, { onDelta }) => {
      late = () => onDelta({ type: "text", text: "stale" });
      return new Promise(() => {});
    };
    const fresh: Reply = async (_request, { onDelta }) => {
      onDelta({ type: "text", text: "fr" });
      late();
      onDelta({ type: "text", text: "esh" });
      return say("fresh");
    };
    const { handle } = stage.begin([[deaf, fresh]], {
      clock,
      contract: { limits: { completionTimeoutMs: 5_000, retryBaseMs: 0 } },
      onLive: (update) => shown.push("text" in update ? update.text : update.type),
    });
    await clock.untilWaiting(2);
    await clock.advance(5_000);
    await clock.advance(5_000);
    await handle.result;

    expect(shown).toEqual(["reset", "fr", "esh"]);
  });
});

describe("attempts", () => {
  const script = [[fail("server"), fail("server"), say("Done.")]] as const;

  it("are counted over a crash in the wait between them, which waits only for the rest", async () => {
    const { events, store } = await attempt([fail("server"), fail("server"), fail("server")]);
    const rows = await rowsIn(store);
    const [first] = only(events, "completion.failed");
    const clock = fakeClock((first?.at ?? 0) + 200, { autoAdvance: true });

    const cut = await storeWith(rows, first?.seq);
    const again = await stage.goOn(cut, [[fail("server"), fail("server"), say("Done.")]], { clock });

    expect(again.outcome).toMatchObject({ type: "failed", error: { kind: "server" } });
    expect(again.provider.asked).toBe(2);
    expect(clock.slept).toEqual([300, 1_000]);
    expect(failures(again.events).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it("are all there again when a run that failed is resumed", async () => {
    const { outcome, store } = await attempt([fail("server"), fail("server"), fail("server")]);
    expect(outcome.type).toBe("failed");

    const again = await stage.goOn(store, script, { clock: fakeClock(0, { autoAdvance: true }) });

    expect(again.outcome).toEqual({ type: "finished", steps: 1 });
    expect(again.provider.asked).toBe(3);
  });

  it("begin anew with every step", async () => {
    const clock = fakeClock(0, { autoAdvance: true });
    const { outcome } = await stage.drive(
      [
        [fail("server"), fail("server"), call("look")],
        [fail("server"), fail("server"), say("Done.")],
      ],
      { clock, tools: [reader()] },
    );

    expect(outcome).toEqual({ type: "finished", steps: 2 });
    expect(clock.slept).toEqual([500, 1_000, 500, 1_000]);
  });
});
