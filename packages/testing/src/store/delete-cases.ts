// Promises of `delete`: a run goes with everything that is only its own, or it stays as it was.
import { genesis, type RunId, type Store } from "@harness/spec";
import { expect } from "vitest";
import { fill, fillChild } from "./kept-run.js";
import { collect, eventually, headOf } from "./observe.js";
import { drive, logOf, recordOf, stepStarted } from "./stream.js";
import type { UpkeepCase } from "./subject.js";

async function idsIn(store: Store): Promise<readonly string[]> {
  return (await store.runs()).map(({ id }) => id).sort();
}

async function traceOf(store: Store, run: RunId): Promise<readonly unknown[]> {
  return [await store.runs({ id: run }), await collect(store.read(run)), await collect(store.answers(run))];
}

export const deleteCases: Readonly<Record<string, UpkeepCase>> = {
  "removes a run with its events, answers and blobs, and says how much that was": async ({ store }) => {
    const { run, log, large, file } = await fill(store, "run-1");

    const removed = await store.delete(run);

    expect(removed).toMatchObject({ runs: 1, events: log.all.length });
    expect(removed.bytes).toBeGreaterThan(log.all.reduce((sum, { facts }) => sum + facts.length, 0));
    expect(await traceOf(store, run)).toEqual([[], [], []]);
    expect(await store.blobs.get(large)).toBeUndefined();
    expect(await store.blobs.get(file)).toBeUndefined();
  },

  "removes everything under a run, and nothing above or beside it": async ({ store }) => {
    const kept = await fill(store, "run-1");
    const child = await fillChild(store, kept);
    const grandchild = await fillChild(store, child);
    await fill(store, "run-2");

    expect(await store.delete(child.run)).toMatchObject({ runs: 2, events: 4 });
    expect(await idsIn(store)).toEqual(["run-1", "run-2"]);
    expect(await collect(store.read(grandchild.run))).toEqual([]);

    await fillChild(store, kept);
    expect(await store.delete(kept.run)).toMatchObject({ runs: 2 });
    expect(await idsIn(store)).toEqual(["run-2"]);
  },

  "leaves blobs that another run has too": async ({ store }) => {
    const one = await fill(store, "run-1", { seed: "both" });
    const two = await fill(store, "run-2", { seed: "both" });

    await store.delete(one.run);
    expect(await store.blobs.get(two.large)).toBeDefined();
    expect(await store.blobs.get(two.file)).toBeDefined();

    await store.delete(two.run);
    expect(await store.blobs.get(two.large)).toBeUndefined();
    expect(await store.blobs.get(two.file)).toBeUndefined();
  },

  "leaves blobs that a driver has put and not yet named": async ({ store }) => {
    const { run, file } = await fill(store, "run-1", { seed: "both" });
    await store.blobs.put(new TextEncoder().encode("the file of both"));

    await store.delete(run);

    expect(await store.blobs.get(file)).toBeDefined();
  },

  "says zero of an unknown run": async ({ store }) => {
    await fill(store, "run-1");

    expect(await store.delete("run-unknown" as RunId)).toEqual({ runs: 0, events: 0, bytes: 0 });
    expect(await idsIn(store)).toEqual(["run-1"]);
  },

  "takes a run in any state, because to name it is a decision": async ({ store }) => {
    for (const state of ["ended", "paused", "running"] as const) {
      const { run } = await fill(store, state, { state });

      expect(await store.delete(run)).toMatchObject({ runs: 1 });
    }
    expect(await idsIn(store)).toEqual([]);
  },

  "is refused while the tree is being driven, by whichever of its runs, and removes nothing": async ({ store }) => {
    const kept = await fill(store, "run-1");
    const child = await fillChild(store, kept);
    const { owner } = await store.acquire(kept.run, kept.lease.owner, 600_000);
    const before = [await traceOf(store, kept.run), await traceOf(store, child.run)];

    for (const { run } of [kept, child]) {
      await expect(store.delete(run)).rejects.toMatchObject({
        code: "run-conflict",
        owner,
        expiresAt: expect.any(Number),
      });
    }
    expect([await traceOf(store, kept.run), await traceOf(store, child.run)]).toEqual(before);
    expect(await store.blobs.get(kept.file)).toBeDefined();
  },

  "takes a run whose lease has lapsed, and its driver writes nothing more": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1)));
    const short = await store.acquire(run, lease.owner, 1);

    await eventually(() => store.delete(run));

    for (const late of [log.next(stepStarted(2)), []]) {
      await expect(store.append(short, run, late)).rejects.toMatchObject({ code: "lease-lost" });
    }
    expect(await idsIn(store)).toEqual([]);
  },

  "lets the id be used again, from the start": async ({ store }) => {
    const { run } = await fill(store, "run-1");
    await store.delete(run);

    await store.create(recordOf("run-1", { createdAt: 1 }));
    expect(await headOf(store, run)).toMatchObject({ ...genesis(run), state: "running", lease: null });
    const lease = await store.acquire(run, "elsewhere:2:second", 60_000);
    const log = logOf(run);
    await store.append(lease, run, log.next(stepStarted(1)));

    expect(await collect(store.read(run))).toEqual(log.all);
    expect(await collect(store.answers(run))).toEqual([]);
  },

  "is refused after close": async ({ store }) => {
    const { run } = await fill(store, "run-1");
    await store.close();

    await expect(store.delete(run)).rejects.toMatchObject({ code: "store-failed", kind: "closed" });
  },
};

export const deleteElsewhereCases: Readonly<Record<string, UpkeepCase>> = {
  "is refused while a driver has the run open through another handle": async ({ store, reopen }) => {
    const other = await reopen();
    const { run, lease, log } = await drive(store);

    await expect(other.delete(run)).rejects.toMatchObject({ code: "run-conflict", owner: lease.owner });

    await store.append(lease, run, log.next(stepStarted(1)));
    expect(await collect(other.read(run))).toEqual(log.all);
  },

  "leaves nothing that another handle would go on with": async ({ store, reopen }) => {
    const other = await reopen();
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1)));
    await store.release(lease);

    await other.delete(run);

    await expect(store.append(lease, run, log.next(stepStarted(2)))).rejects.toMatchObject({ code: "lease-lost" });
    expect(await traceOf(store, run)).toEqual([[], [], []]);
  },
};
