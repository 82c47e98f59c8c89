// Who may not write: the promises that keep a driver that woke up late from writing into a tree that has moved on.
import { type Lease, runId, type Store } from "@harness/spec";
import { expect } from "vitest";
import { collect, eventually, headOf } from "./observe.js";
import { type Driven, drive, logOf, recordOf, stepFinished, stepStarted } from "./stream.js";
import type { Case } from "./subject.js";

const lost = { code: "lease-lost" };
const second = "elsewhere:2:second";

/** A tree whose first owner let its lease lapse after one event, so that a second one took it. */
async function takenOver(store: Store): Promise<Driven & { readonly stale: Lease }> {
  const driven = await drive(store);
  await store.append(driven.lease, driven.run, driven.log.next(stepStarted(1)));
  const stale = await store.acquire(driven.run, driven.lease.owner, 1);
  const lease = await eventually(() => store.acquire(driven.run, second, 600_000));
  return { ...driven, lease, stale };
}

export const fencingCases: Readonly<Record<string, Case>> = {
  "writes nothing when the run has a new owner": async ({ store }) => {
    const { run, stale, log } = await takenOver(store);
    const before = await collect(store.read(run));

    await expect(store.append(stale, run, log.next(stepFinished(1)))).rejects.toMatchObject({ ...lost, runId: run });

    expect(await collect(store.read(run))).toEqual(before);
  },

  "lets the new owner go on where the old one stopped": async ({ store }) => {
    const { run, lease, log } = await takenOver(store);

    await store.append(lease, run, log.next(stepFinished(1)));

    expect(await collect(store.read(run))).toEqual(log.all);
  },

  "fences every run of the tree": async ({ store }) => {
    const { run, stale } = await takenOver(store);
    const child = recordOf("run-1/1.1", { root: run, parent: run });
    await store.create(child);

    await expect(store.append(stale, child.id, logOf(child.id).next(stepStarted(1)))).rejects.toMatchObject(lost);

    expect(await collect(store.read(child.id))).toEqual([]);
  },

  "refuses the heartbeat of an owner that lost the tree, and leaves the lease alone": async ({ store }) => {
    const { run, stale } = await takenOver(store);
    const before = (await headOf(store, run)).lease;

    await expect(store.append(stale, run, [])).rejects.toMatchObject(lost);
    await store.release(stale);

    expect((await headOf(store, run)).lease).toEqual(before);
  },

  "fences by generation when the owner is the same": async ({ store }) => {
    const { run, lease, stale, log } = await takenOver(store);
    await store.release(lease);
    const back = await store.acquire(run, stale.owner, 600_000);
    const batch = log.next(stepFinished(1));

    await expect(store.append(stale, run, batch)).rejects.toMatchObject(lost);
    await store.append(back, run, batch);

    expect(await collect(store.read(run))).toEqual(log.all);
  },

  "compares what a lease says, not which object it is": async ({ store }) => {
    const { run, lease, log } = await drive(store);

    await store.append(JSON.parse(JSON.stringify(lease)), run, log.next(stepStarted(1)));

    expect(await collect(store.read(run))).toEqual(log.all);
  },

  "refuses a lease that was made up": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const batch = log.next(stepStarted(1));

    for (const change of [
      { owner: second },
      { generation: lease.generation + 1 },
      { generation: lease.generation - 1 },
    ]) {
      await expect(store.append({ ...lease, ...change }, run, batch)).rejects.toMatchObject(lost);
    }
    expect(await collect(store.read(run))).toEqual([]);
  },

  "refuses a lease that was given back": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.release(lease);

    await expect(store.append(lease, run, log.next(stepStarted(1)))).rejects.toMatchObject(lost);

    expect(await collect(store.read(run))).toEqual([]);
  },

  "refuses a run that is not under the lease's root": async ({ store }) => {
    const { lease } = await drive(store, "run-1");
    const { run, log } = await drive(store, "run-2");
    const unknown = runId("run-unknown");

    await expect(store.append(lease, run, log.next(stepStarted(1)))).rejects.toMatchObject(lost);
    await expect(store.append(lease, unknown, logOf(unknown).next(stepStarted(1)))).rejects.toMatchObject(lost);

    expect(await collect(store.read(run))).toEqual([]);
    expect(await collect(store.read(unknown))).toEqual([]);
  },

  "lets a lapsed owner write while nobody else has the tree": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const short = await store.acquire(run, lease.owner, 1);
    await eventually(async () => expect((await headOf(store, run)).lease?.expiresAt).toBeLessThan(Date.now()));

    await store.append(short, run, log.next(stepStarted(1)));

    expect(await collect(store.read(run))).toEqual(log.all);
  },

  "renews the lease with a heartbeat once a quarter of its ttl has gone by": async ({ store }) => {
    const { run, lease } = await drive(store);
    const short = await store.acquire(run, lease.owner, 200);
    const before = (await headOf(store, run)).lease?.expiresAt ?? Infinity;

    await eventually(async () => {
      await store.append(short, run, []);
      expect((await headOf(store, run)).lease?.expiresAt).toBeGreaterThan(before);
    });
  },

  "renews the lease with what it appends": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const short = await store.acquire(run, lease.owner, 200);
    const before = (await headOf(store, run)).lease?.expiresAt ?? Infinity;

    await eventually(async () => {
      await store.append(short, run, log.next(stepStarted(1)));
      expect((await headOf(store, run)).lease?.expiresAt).toBeGreaterThan(before);
    });
    expect(await collect(store.read(run))).toEqual(log.all);
  },
};
