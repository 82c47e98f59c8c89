import { type Store, StoreError } from "@harness/spec";
import { type Answer, call, calls, fakeClock, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { hangAfter } from "../step/requests.test-support.js";
import { memoryStore } from "../store/memory-store.js";
import { aborted, deferred, failingStore, reader, writer } from "../tools/tools.test-support.js";
import { completed } from "./answers.js";
import { eventsIn, only, openStage, rowsIn, statuses, theRun } from "./stage.test-support.js";

const stage = openStage();
/** An answer that takes a turn of the event loop, as a model's does: what was recorded by then is on its way to the store. */
const later = (answer: Answer) => () => new Promise<Answer>((resolve) => setImmediate(resolve, answer));
const script = [later(call("look")), later(call("change")), later(say("Done."))];
const tools = [reader(), writer()];

describe("a store that cannot write", () => {
  it.each([1, 2, 3, 4, 5])(
    "from append %i on ends the driver with its error; the run goes on from what is durable",
    async (nth) => {
      const inner = memoryStore();

      const failed = stage.drive(script, { tools, store: failingStore(inner, nth) });

      await expect(failed).rejects.toMatchObject({ code: "store-failed", kind: "full", runId: theRun });
      const kept = await rowsIn(inner);
      if (nth === 1) return expect(kept).toEqual([]);
      const { outcome, events } = await stage.goOn(inner, script, { tools });
      expect(outcome).toEqual({ type: "finished", steps: 3 });
      expect((await rowsIn(inner)).slice(0, kept.length)).toEqual(kept);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      return undefined;
    },
  );

  it("ends what is in flight, and what comes of it is recorded nowhere", async () => {
    const signals: AbortSignal[] = [];
    const begun = deferred();
    const slow = reader("slow", async (_input, { signal }) => {
      if (signals.push(signal) === 2) begun.resolve();
      await aborted(signal);
      return { text: "too late" };
    });
    const inner = memoryStore();
    let appends = 0;
    const failsMeanwhile: Store = {
      ...inner,
      async append(lease, run, events) {
        appends += 1;
        if (appends === 1) return inner.append(lease, run, events);
        await begun.promise;
        throw new StoreError("full", "No space is left.");
      },
    };

    const failed = stage.drive([later(calls(call("slow"), call("slow", { path: "b" })))], {
      tools: [slow],
      store: failsMeanwhile,
    });

    await expect(failed).rejects.toMatchObject({ code: "store-failed" });
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
    expect(appends).toBe(2);
  });

  it("does not have a call made again whose result it could not keep", async () => {
    let sent = 0;
    const send = writer("send", async () => void sent++, { recovery: "indeterminate" });
    const inner = memoryStore();
    const refusesResults: Store = {
      ...inner,
      async append(lease, run, events) {
        if (events.some(({ facts }) => facts.startsWith('{"type":"tool.finished"')))
          throw new StoreError("other", "I/O.");
        return inner.append(lease, run, events);
      },
    };
    await expect(stage.drive([call("send"), say("")], { tools: [send], store: refusesResults })).rejects.toThrow(
      "I/O.",
    );

    const parked = await stage.goOn(inner, [], { tools: [send] });
    expect(parked.outcome).toEqual({ type: "awaiting-recovery", callId: "1.1", steps: 0 });
    const again = await stage.goOn(inner, [call("send"), say("Done.")], { tools: [send], recovery: completed("sent") });

    expect(again.outcome.type).toBe("finished");
    expect(sent).toBe(1);
  });

  it.each([
    [
      "throws at once",
      () => {
        throw new StoreError("busy", "Locked.");
      },
    ],
    ["rejects", () => Promise.reject(new StoreError("busy", "Locked."))],
  ])("is reported with the run's id when it %s", async (_how, append) => {
    const store: Store = { ...memoryStore(), append };

    await expect(stage.drive(script, { tools, store })).rejects.toMatchObject({ kind: "busy", runId: theRun });
  });

  it.each(["create", "acquire"] as const)("is reported when it cannot %s, and nobody is asked", async (method) => {
    const refuse = () => Promise.reject(new StoreError("readonly", "It is read-only."));
    const { handle, provider } = stage.begin(script, { tools, store: { ...memoryStore(), [method]: refuse } });

    await expect(handle.result).rejects.toMatchObject({ kind: "readonly", runId: theRun });
    expect(provider.asked).toBe(0);
  });

  it("is not what a caller hears of when only the lease cannot be given back", async () => {
    const release = () => Promise.reject(new StoreError("other", "Gone."));

    expect((await stage.drive(script, { tools, store: { ...memoryStore(), release } })).outcome.type).toBe("finished");
  });

  it("keeps long words beside the log, and reads them back", async () => {
    const long = "x".repeat(300 * 1024);
    const { store } = await stage.drive([call("look"), say("Done.")], {
      tools: [reader("look", async () => ({ text: long }))],
    });

    const rows = await rowsIn(store);
    const results = only(await eventsIn(store), "tool.finished");
    expect(rows.filter(({ content, contentHash }) => content === null && contentHash !== null)).toHaveLength(1);
    expect(results.map(({ content }) => content?.text === long)).toEqual([true]);
  });
});

describe("a driver whose run was taken over", () => {
  async function takenOver(store: Store, clock: { time: number }): Promise<void> {
    clock.time += 1e9;
    const lease = await store.acquire(theRun, "somebody else", 60_000);
    expect(lease.generation).toBe(2);
  }

  it("writes nothing more and says so", async () => {
    const clock = { time: 0 };
    const store = memoryStore({ now: () => clock.time });
    const steal = reader("look", async () => void (await takenOver(store, clock)));

    const failed = stage.drive([call("look"), say("Done.")], { tools: [steal], store });

    await expect(failed).rejects.toMatchObject({ name: "LeaseLostError", code: "lease-lost", runId: theRun });
    expect(statuses(await eventsIn(store))).toEqual([]);
  });

  it("finds out by its heartbeat, and ends what it waits for", async () => {
    const fake = fakeClock();
    const store = memoryStore({ now: fake.now });
    const begun = deferred();
    const { handle } = stage.begin([hangAfter(() => begun.resolve())], { store, clock: fake, leaseTtlMs: 60_000 });
    await begun.promise;
    await store.release({
      root: theRun,
      owner: (await store.runs())[0]?.lease?.owner ?? "",
      generation: 1,
      ttlMs: 60_000,
    });
    await store.acquire(theRun, "somebody else", 60_000);

    const failed = expect(handle.result).rejects.toMatchObject({ code: "lease-lost", runId: theRun });
    await fake.advance(60_000);

    await failed;
  });

  it("keeps it through a call that is longer than the lease", async () => {
    const fake = fakeClock();
    const store = memoryStore({ now: fake.now });
    const done = deferred();
    const slow = reader("slow", async () => void (await done.promise));
    const { handle } = stage.begin([call("slow"), say("Done.")], {
      tools: [slow],
      store,
      clock: fake,
      leaseTtlMs: 60_000,
    });
    await fake.untilWaiting(2);
    for (let minute = 0; minute < 5; minute += 1) await fake.advance(60_000);

    await expect(store.acquire(theRun, "somebody else", 60_000)).rejects.toMatchObject({ code: "run-conflict" });
    done.resolve();
    expect((await handle.result).outcome.type).toBe("finished");
  });

  it("gives it back however the run ends", async () => {
    const store = memoryStore();
    await stage.drive([call("look")], { tools, store, contract: { limits: { maxSteps: 1 } } });

    expect(await store.runs()).toMatchObject([{ state: "paused", lease: null }]);
  });
});
