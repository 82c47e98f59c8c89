import { getEventListeners } from "node:events";
import type { AnyTool, Store } from "@harness/spec";
import { call, calls, type FakeClock, fakeClock, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../store/memory-store.js";
import { deferred, heldStore, reader, turn, writer } from "../tools/tools.test-support.js";
import { eventsIn, only, openStage, rowsIn, statuses, typesOf } from "./stage.test-support.js";

const stage = openStage();

/** Lets fake time pass until `promise` settles. */
async function passing<Value>(clock: FakeClock, promise: Promise<Value>): Promise<Value> {
  let isOver = false;
  const done = promise.finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.advance(1_000);
  return done;
}

describe("a call that was not begun when the run was cancelled", () => {
  it.each([
    ["write", writer],
    ["read", reader],
  ])("is a %s that was still being planned, and is never begun", async (_effect, make) => {
    const stop = new AbortController();
    let made = 0;
    const tool = make("late", async () => void made++, {
      async acts() {
        stop.abort();
        return [];
      },
    });

    const { outcome, events } = await stage.drive([call("late")], { tools: [tool], signal: stop.signal });

    expect(outcome.type).toBe("cancelled");
    expect(typesOf(events)).not.toContain("tool.started");
    expect(made).toBe(0);
  });

  it("is a read beside one that was still being planned, and is never begun", async () => {
    const stop = new AbortController();
    let made = 0;
    const tool = reader("late", async () => void made++, {
      async acts({ path }) {
        if (path === "second") stop.abort();
        return [{ type: "read", target: path }];
      },
    });
    const script = [calls(call("late", { path: "first" }), call("late", { path: "second" }))];

    await stage.drive(script, { tools: [tool], signal: stop.signal });

    expect(made).toBe(0);
  });

  it.each([
    ["whose completion was not durable yet", "replayable"],
    ["whose own start was not durable yet", "indeterminate"],
  ] as const)("is a write %s, and is never begun", async (_what, recovery) => {
    const stop = new AbortController();
    const held = heldStore(memoryStore());
    let made = 0;
    const tool = writer("late", async () => void made++, { recovery, acts: async () => [] });
    const asked = () => {
      held.hold();
      return call("late");
    };
    const script = [asked, say("Done.")];
    const { handle } = stage.begin(script, { tools: [tool], signal: stop.signal, store: held.store });
    while (!held.isHolding || held.waiting === 0) await turn();
    stop.abort();
    await turn();
    held.release();

    expect((await handle.result).outcome.type).toBe("cancelled");
    expect(made).toBe(0);
  });
});

describe("a call that does not listen", () => {
  const endless = (work: () => void = () => {}, make: typeof reader = writer): AnyTool =>
    make("deaf", () => {
      work();
      return new Promise<undefined>(() => {});
    });

  it("is left to itself after the grace, and the run ends", async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const tools = [endless(() => stop.abort("enough"))];
    const { handle, store } = stage.begin([call("deaf")], { clock, tools, signal: stop.signal });

    const { outcome } = await passing(clock, handle.result);

    expect(outcome).toEqual({ type: "cancelled", steps: 0, reason: "enough" });
    expect(only(await eventsIn(store), "tool.finished")).toMatchObject([
      { status: "cancelled", content: { text: expect.stringContaining("did not stop") } },
    ]);
  });

  it("is left to itself when it does not even say what it would do", async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const tool = reader("deaf", undefined, {
      acts() {
        stop.abort();
        return new Promise(() => {});
      },
    });
    const { handle } = stage.begin([call("deaf")], { clock, tools: [tool], signal: stop.signal });

    expect((await passing(clock, handle.result)).outcome.type).toBe("cancelled");
  });

  it("can say nothing any more once the run has stopped", async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const answer = deferred();
    const tool = writer("deaf", async (_input, context) => {
      stop.abort();
      await answer.promise;
      await context.keep("file", null).catch(() => {});
      return { text: "late" };
    });
    const { handle, store } = stage.begin([call("deaf")], { clock, tools: [tool], signal: stop.signal });
    await passing(clock, handle.result);
    const rows = await rowsIn(store);
    answer.resolve();
    await turn();

    expect(await rowsIn(store)).toEqual(rows);
  });

  it("is a model as well as a tool", async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const deaf = () => {
      stop.abort("enough");
      return new Promise<never>(() => {});
    };
    const { handle } = stage.begin([deaf], { clock, signal: stop.signal });

    expect((await passing(clock, handle.result)).outcome).toMatchObject({ type: "cancelled", reason: "enough" });
  });

  it("leaves its lease behind for the next driver", async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const store: Store = memoryStore();
    const tools = [endless(() => stop.abort())];
    const { handle } = stage.begin([call("deaf"), say("Done.")], { clock, tools, store, signal: stop.signal });
    await passing(clock, handle.result);

    const again = await stage.goOn(store, [call("deaf"), say("Done.")], { tools: [writer("deaf")] });

    expect(again.outcome.type).toBe("finished");
    expect(statuses(again.events)).toEqual(["1.1: cancelled"]);
  });
});

describe("a signal that outlives many runs", () => {
  it("has one listener while a run is under way, however long it is, and none afterwards", async () => {
    const { signal } = new AbortController();
    const clock = fakeClock();
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const counts = new Set<number>();
    const alarms = new Set<number>();
    const tool = reader("look", async (_input, context) => {
      counts.add(getEventListeners(signal, "abort").length);
      alarms.add(clock.waiting);
      return { text: context.signal.aborted ? "stopped" : "seen" };
    });
    const script = Array.from({ length: 2_000 }, (_, nth) =>
      calls(call("look", { nth }), call("look", { nth: -nth }), ...(nth % 2 ? [call("look", { path: "b", nth })] : [])),
    );

    const { outcome } = await stage.drive(script, {
      tools: [tool],
      signal,
      clock,
      byCall: true,
      contract: { limits: { maxSteps: 2_000 } },
    });

    process.off("warning", note);
    expect(outcome).toEqual({ type: "budget", limit: "steps", steps: 2_000 });
    expect(counts).toEqual(new Set([1]));
    expect(getEventListeners(signal, "abort")).toEqual([]);
    // The lease's, and one for every deadline there is.
    expect(alarms).toEqual(new Set([2]));
    expect(clock.waiting).toBe(0);
    expect(warnings).toEqual([]);
  });
});
