// Promises of `size`, `compact` and `check`: what a store weighs, and that it is in order.
import { type RunId, verifyTrace } from "@harness/spec";
import { expect } from "vitest";
import { fill, fillChild } from "./kept-run.js";
import { collect } from "./observe.js";
import { drive, replanned, stepStarted } from "./stream.js";
import type { UpkeepCase } from "./subject.js";

const text = "x".repeat(200_000);

export const sizeCases: Readonly<Record<string, UpkeepCase>> = {
  "is that of a run's words at least, and the store's is no less": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(replanned(text)));

    const size = await store.size(run);

    expect(size).toBeGreaterThanOrEqual(text.length);
    expect(await store.size()).toBeGreaterThanOrEqual(size);
  },

  "is nothing for an unknown run, and for one that was deleted": async ({ store }) => {
    const { run } = await fill(store, "run-1");
    expect(await store.size(run)).toBeGreaterThan(0);

    await store.delete(run);

    expect(await store.size(run)).toBe(0);
    expect(await store.size("run-unknown" as RunId)).toBe(0);
  },

  "is what deleting the run frees, with everything under it": async ({ store }) => {
    const kept = await fill(store, "run-1");
    const alone = await store.size(kept.run);
    await fillChild(store, kept);
    const size = await store.size(kept.run);

    expect(size).toBeGreaterThan(alone);
    expect((await store.delete(kept.run)).bytes).toBe(size);
  },
};

export const compactCases: Readonly<Record<string, UpkeepCase>> = {
  "leaves everything as it was, and the store no larger": async ({ store }) => {
    const gone = await fill(store, "gone");
    const kept = await fill(store, "kept");
    const { run, lease, log } = await drive(store, "long");
    await store.append(lease, run, log.next(replanned(text)));
    await store.release(lease);
    await store.delete(gone.run);
    await store.delete(run);
    const [heads, events, before] = [await store.runs(), await collect(store.read(kept.run)), await store.size()];

    expect(await store.compact()).toBeGreaterThanOrEqual(0);

    expect(await store.runs()).toEqual(heads);
    expect(await collect(store.read(kept.run))).toEqual(events);
    expect(await verifyTrace(store, kept.run)).toMatchObject({ type: "verified", emptied: 0 });
    expect(await store.size()).toBeLessThanOrEqual(before);
  },

  "lets runs go on afterwards": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.release(lease);
    await store.compact();

    const again = await store.acquire(run, lease.owner, 60_000);
    await store.append(again, run, log.next(stepStarted(1)));

    expect(await collect(store.read(run))).toEqual(log.all);
  },
};

export const checkCases: Readonly<Record<string, UpkeepCase>> = {
  "finds nothing wrong with a store that has been used": async ({ store }) => {
    await fillChild(store, await fill(store, "ended"));
    await fill(store, "paused", { state: "paused" });
    await drive(store, "driven");

    expect(await store.check()).toEqual([]);
    expect(await store.check({ mend: true })).toEqual([]);
  },
};
