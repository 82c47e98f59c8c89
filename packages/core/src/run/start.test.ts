import type { LiveUpdate, RunEvent, Store } from "@harness/spec";
import { type Answer, call, fail, hang, say, stream } from "@harness/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryStore } from "../store/memory-store.js";
import { deferred, failingStore, reader, turn } from "../tools/tools.test-support.js";
import { eventsIn, openStage } from "./stage.test-support.js";

const stage = openStage();

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("unhandledRejection", note);
});

/** An answer that takes a turn of the event loop, as a model's does: what was recorded by then is on its way to the store. */
const later = (answer: Answer) => () => new Promise<Answer>((resolve) => setImmediate(resolve, answer));

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("a handle", () => {
  it("gives the events of the log, to every reader the same", async () => {
    const { handle, store } = stage.begin([call("look"), say("Done.")], { tools: [reader()] });

    const [first, second] = await Promise.all([all(handle), all(handle)]);

    expect(first).toEqual(await eventsIn(store));
    expect(second).toEqual(first);
  });

  it("shows nothing that the store has not said is durable, even when it is there already", async () => {
    const inner = memoryStore();
    const said = deferred();
    let appends = 0;
    const slowToSay: Store = {
      ...inner,
      async append(...given) {
        appends += 1;
        await inner.append(...given);
        if (appends > 1) await said.promise;
      },
    };
    const { handle } = stage.begin([later(say("Done."))], { store: slowToSay });
    const seen: RunEvent[] = [];
    const reading = (async () => {
      for await (const event of handle) seen.push(event);
    })();
    while (appends < 2) await turn();
    await turn();

    const there = await eventsIn(inner);
    expect(seen.length).toBeGreaterThan(0);
    expect(there.length).toBeGreaterThan(seen.length);
    said.resolve();
    await reading;
    expect(seen).toEqual(await eventsIn(inner));
  });

  it("gives a reader who comes when the run is over the whole of it", async () => {
    const { handle, store } = stage.begin([say("Done.")]);
    await handle.result;

    expect(await all(handle)).toEqual(await eventsIn(store));
  });

  it("stops watching when a reader leaves, and nothing else", async () => {
    const open = deferred();
    const { handle, store } = stage.begin([call("look"), say("Done.")], {
      tools: [reader("look", async () => void (await open.promise))],
    });

    const seen: RunEvent[] = [];
    for await (const event of handle) {
      seen.push(event);
      if (seen.length === 2) break;
    }
    open.resolve();

    expect((await handle.result).outcome).toEqual({ type: "finished", steps: 2 });
    expect((await eventsIn(store)).length).toBeGreaterThan(seen.length);
  });

  it("settles when a reader has left and the provider fails later", async () => {
    const { handle } = stage.begin([fail("auth")]);

    for await (const _ of handle) break;

    expect((await handle.result).outcome).toMatchObject({ type: "failed", error: { kind: "auth" } });
    // Unhandled rejections are reported once the microtasks have run dry.
    await turn();
    expect(unhandled).toEqual([]);
  });

  it("tells readers of a store that cannot write, when they have read what it wrote", async () => {
    const { handle, store } = stage.begin([later(call("look")), later(say("Done."))], {
      tools: [reader()],
      store: failingStore(memoryStore(), 3),
    });

    const seen: RunEvent[] = [];
    const reading = (async () => {
      for await (const event of handle) seen.push(event);
    })();

    await expect(reading).rejects.toMatchObject({ code: "store-failed", kind: "full" });
    expect(seen).toEqual(await eventsIn(store));
    await expect(handle.result).rejects.toMatchObject({ code: "store-failed" });
  });

  it("hurts nobody when it fails and nobody looks", async () => {
    const { handle } = stage.begin([say("Done.")], { store: failingStore(memoryStore(), 1) });

    await handle.result.catch(() => {});
    // Unhandled rejections are reported once the microtasks have run dry.
    await turn();

    expect(unhandled).toEqual([]);
  });

  it("hurts nobody when only its updates are read and it fails", async () => {
    const { handle } = stage.begin([stream("a")], { store: failingStore(memoryStore(), 2) });

    await all(handle.live);
    // Unhandled rejections are reported once the microtasks have run dry.
    await turn();

    expect(unhandled).toEqual([]);
  });
});

describe("the updates of a handle", () => {
  it("reach every reader who is there, and end with the run", async () => {
    const { handle } = stage.begin([stream("Do", "ne.")]);

    const [first, second] = await Promise.all([all(handle.live), all(handle.live)]);

    expect(first).toEqual([
      { type: "text", step: 1, text: "Do" },
      { type: "text", step: 1, text: "ne." },
    ]);
    expect(second).toEqual(first);
    expect(await all(handle.live)).toEqual([]);
  });

  it("are dropped, oldest first, for a reader who falls far behind", async () => {
    const pieces = Array.from({ length: 10_050 }, (_, index) => `${index} `);
    const { handle } = stage.begin([stream(...pieces)]);

    const reader = handle.live[Symbol.asyncIterator]();
    const first = await reader.next();
    await handle.result;
    const rest: LiveUpdate[] = [];
    for (let next = await reader.next(); !next.done; next = await reader.next()) rest.push(next.value);

    expect(first.value).toEqual({ type: "text", step: 1, text: "0 " });
    expect(rest).toHaveLength(10_000);
    expect(rest.at(-1)).toEqual({ type: "text", step: 1, text: "10049 " });
  });

  it("change nothing when a reader leaves", async () => {
    const { handle } = stage.begin([stream("a", "b", "c")]);

    for await (const _ of handle.live) break;

    expect((await handle.result).text).toBe("abc");
  });

  it("come while the model is still answering", async () => {
    const stop = new AbortController();
    const { handle } = stage.begin([hang("thinking")], { signal: stop.signal });

    for await (const update of handle.live) {
      expect(update).toEqual({ type: "text", step: 1, text: "thinking" });
      break;
    }
    stop.abort();

    expect((await handle.result).outcome.type).toBe("cancelled");
  });
});
