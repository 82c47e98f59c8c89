// Promises of `sweep`: old runs that are over go, tree by tree; whatever could still go on stays and is named.
import type { Store } from "@harness/spec";
import { expect } from "vitest";
import { type Fill, fill, fillChild, type KeptRun } from "./kept-run.js";
import { collect, headOf } from "./observe.js";
import { logOf, recordOf, runFinished, runPaused } from "./stream.js";
import type { UpkeepCase } from "./subject.js";

const old = (store: Store, name: string, more: Fill = {}): Promise<KeptRun> =>
  fill(store, name, { ...more, record: { createdAt: 100 } });

async function idsIn(store: Store): Promise<readonly string[]> {
  return (await store.runs()).map(({ id }) => id).sort();
}

export const sweepCases: Readonly<Record<string, UpkeepCase>> = {
  "removes runs that are over and older, and keeps one on the very moment": async ({ store }) => {
    const { large } = await old(store, "old");
    await fill(store, "exact", { record: { createdAt: 200 } });
    await fill(store, "young", { record: { createdAt: 300 } });

    expect(await store.sweep(200)).toEqual({ runs: 1, refused: [] });

    expect(await idsIn(store)).toEqual(["exact", "young"]);
    expect(await store.blobs.get(large)).toBeUndefined();
  },

  "removes nothing where nothing is old enough": async ({ store }) => {
    await old(store, "old");

    expect(await store.sweep(100)).toEqual({ runs: 0, refused: [] });
    expect(await idsIn(store)).toEqual(["old"]);
  },

  "names old runs that could still go on, and leaves them as they were": async ({ store }) => {
    const paused = await old(store, "paused", { state: "paused" });
    const running = await old(store, "running", { state: "running" });
    await old(store, "ended");
    const look = () =>
      Promise.all([paused, running].map(async ({ run }) => [await headOf(store, run), await collect(store.read(run))]));
    const before = await look();

    const { runs, refused } = await store.sweep(1_000);

    expect({ runs, refused: [...refused].sort() }).toEqual({ runs: 1, refused: ["paused", "running"] });
    expect(await look()).toEqual(before);
    expect(await store.blobs.get(paused.file)).toBeDefined();
  },

  "keeps an old run that is being driven": async ({ store }) => {
    const { run, lease } = await old(store, "run-1");
    await store.acquire(run, lease.owner, 600_000);

    expect(await store.sweep(1_000)).toEqual({ runs: 0, refused: [run] });
    expect(await idsIn(store)).toEqual([run]);
  },

  "takes a tree whole or not at all": async ({ store }) => {
    await fillChild(store, await old(store, "over"));
    const open = await fillChild(store, await old(store, "half"), runPaused(1));
    const mixed = await old(store, "mixed");
    const young = recordOf("mixed/1.2", { root: mixed.run, parent: mixed.run, createdAt: 2_000 });
    await store.create(young);
    const lease = await store.acquire(mixed.run, mixed.lease.owner, 600_000);
    await store.append(lease, young.id, logOf(young.id).next(runFinished(1)));
    await store.release(lease);

    expect(await store.sweep(1_000)).toEqual({ runs: 2, refused: [open.run] });

    expect(await idsIn(store)).toEqual(["half", "half/1.1", "mixed", "mixed/1.2"]);
  },

  "takes many at once": async ({ store }) => {
    for (let nth = 0; nth < 50; nth++) await old(store, `run-${nth}`, { seed: "all" });
    await fill(store, "young", { seed: "all" });

    expect(await store.sweep(1_000)).toEqual({ runs: 50, refused: [] });
    expect(await idsIn(store)).toEqual(["young"]);
  },
};
