import { getEventListeners } from "node:events";
import { genesis, type Lease, type RunEvent, redactor, runId, type Store, type StoredEvent, seal } from "@harness/spec";
import { describeStore } from "@harness/testing/store";
import { describe, expect, it } from "vitest";
import { memoryStore } from "./memory-store.js";

describeStore("memoryStore", { open: () => memoryStore(), follows: true });

const run = runId("run-1");

function events(count: number): StoredEvent[] {
  const redact = redactor();
  let head = genesis(run);
  return Array.from({ length: count }, (_, index) => {
    const event: RunEvent = { type: "step.started", seq: index + 1, step: index + 1, at: 0 };
    const { stored } = seal(head, event, redact);
    head = stored;
    return stored;
  });
}

async function held(store: Store, ttlMs: number): Promise<Lease> {
  await store.create({ id: run, root: run, parent: null, createdAt: 0 });
  return store.acquire(run, "first", ttlMs);
}

async function expiry(store: Store): Promise<number | undefined> {
  return (await store.runs({ id: run }))[0]?.lease?.expiresAt;
}

describe("memoryStore by its own clock", () => {
  it("lets a lease lapse when its ttl has gone by, and not a moment before", async () => {
    let now = 1_000;
    const store = memoryStore({ now: () => now });
    await held(store, 400);

    now = 1_399;
    await expect(store.acquire(run, "second", 400)).rejects.toMatchObject({ owner: "first", expiresAt: 1_400 });
    now = 1_400;

    expect(await store.acquire(run, "second", 400)).toMatchObject({ owner: "second", generation: 2 });
  });

  it("renews a lease when a quarter of its ttl has gone by, and not before", async () => {
    let now = 1_000;
    const store = memoryStore({ now: () => now });
    const lease = await held(store, 400);

    now = 1_099;
    await store.append(lease, run, []);
    expect(await expiry(store)).toBe(1_400);
    now = 1_100;
    await store.append(lease, run, events(1));

    expect(await expiry(store)).toBe(1_500);
  });
});

describe("memoryStore", () => {
  it("keeps the very events it is given", async () => {
    const store = memoryStore();
    const given = events(3);
    await store.append(await held(store, 1_000), run, given);

    let index = 0;
    for await (const event of store.read(run)) expect(event).toBe(given[index++]);

    expect(index).toBe(3);
  });

  it("waits for a run that is not there yet", async () => {
    const store = memoryStore();
    const stop = new AbortController();
    const first = store.read(run, { follow: stop.signal })[Symbol.asyncIterator]().next();

    const [event] = events(1);
    await store.append(await held(store, 1_000), run, events(1));

    expect(await first).toEqual({ done: false, value: event });
  });

  it("rejects an answer to a run that is not there", async () => {
    const answer = { type: "question", request: "run-1/1.1", by: "ops", text: "yes" } as never;

    await expect(memoryStore().answer(run, answer)).rejects.toMatchObject({ code: "store-failed", kind: "missing" });
  });

  it("serves many followers on one signal without a warning, and leaves no listener on it", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const store = memoryStore();
    const stop = new AbortController();
    const lease = await held(store, 1_000);
    const readers = Array.from({ length: 200 }, async () => {
      const seen: StoredEvent[] = [];
      for await (const event of store.read(run, { follow: stop.signal })) if (seen.push(event) === 2) break;
      return seen;
    });

    for (const event of events(2)) await store.append(lease, run, [event]);

    expect(await Promise.all(readers)).toEqual(Array(200).fill(events(2)));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(warnings).toEqual([]);
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });
});
