// What following costs, beside what the port promises of it: nothing while nobody follows.
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import { collect, drive, freshPath, run, steps, using } from "./store.test-support.js";

const timers = new Set<unknown>();

beforeEach(() => {
  const { setInterval: start, clearInterval: stop } = globalThis;
  vi.spyOn(globalThis, "setInterval").mockImplementation(((...values: Parameters<typeof start>) => {
    const timer = start(...values);
    timers.add(timer);
    return timer;
  }) as typeof start);
  vi.spyOn(globalThis, "clearInterval").mockImplementation((timer) => {
    timers.delete(timer);
    stop(timer);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  timers.clear();
});

it("asks with one timer however many follow, and with none when the last has stopped", async () => {
  const store = using(sqliteStore({ path: freshPath() }));
  const lease = await drive(store);
  await store.append(lease, run, steps(1));
  expect(timers.size).toBe(0);

  const stop = new AbortController();
  const readers = Array.from({ length: 50 }, async () => {
    let seen = 0;
    for await (const _ of store.read(run, { follow: stop.signal })) seen += 1;
    return seen;
  });
  await store.append(lease, run, steps(2).slice(1));
  expect(timers.size).toBe(1);
  stop.abort();

  expect(await Promise.all(readers)).toEqual(Array(50).fill(2));
  expect(timers.size).toBe(0);
});

it("asks with no timer after close", async () => {
  const store = sqliteStore({ path: freshPath() });
  await drive(store);
  const reader = (async () => {
    for await (const _ of store.read(run, { follow: new AbortController().signal }));
  })();
  const ended = expect(reader).rejects.toMatchObject({ kind: "closed" });
  await store.runs();
  expect(timers.size).toBe(1);

  await store.close();

  await ended;
  expect(timers.size).toBe(0);
});

it("serves many who share a signal without a warning, and leaves no listener on it", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  const store = using(sqliteStore({ path: freshPath() }));
  await drive(store);
  const stop = new AbortController();

  const readers = Array.from({ length: 100 }, () => collect(store.read(run, { follow: stop.signal })));
  await store.runs();
  stop.abort();
  await Promise.all(readers);
  await new Promise(setImmediate);

  process.off("warning", note);
  expect(warnings).toEqual([]);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});
