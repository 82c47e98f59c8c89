// Promises of `acquire` and `release`: who may drive a tree. What a lease then allows is in the cases of fencing.
import { hostname } from "node:os";
import { runId } from "@harness/spec";
import { expect } from "vitest";
import { eventually, fates, headOf } from "./observe.js";
import { drive, recordOf } from "./stream.js";
import type { Case } from "./subject.js";

const minute = 60_000;

export const leaseCases: Readonly<Record<string, Case>> = {
  "gives a free tree to whoever asks": async ({ store }) => {
    const record = recordOf("run-1");
    await store.create(record);

    const lease = await store.acquire(record.id, "elsewhere:1:a", minute);

    expect(lease).toEqual({ root: record.id, owner: "elsewhere:1:a", generation: expect.any(Number), ttlMs: minute });
    expect((await headOf(store, record.id)).lease).toMatchObject({
      owner: "elsewhere:1:a",
      expiresAt: expect.any(Number),
    });
  },

  "refuses another owner, and names the holder and when its lease lapses": async ({ store }) => {
    const { run, lease } = await drive(store);
    const { lease: view } = await headOf(store, run);

    await expect(store.acquire(run, "elsewhere:2:second", minute)).rejects.toMatchObject({
      code: "run-conflict",
      runId: run,
      owner: lease.owner,
      expiresAt: view?.expiresAt,
    });
    expect((await headOf(store, run)).lease).toEqual(view);
  },

  "does not take a lease from a process on this host that lives": async ({ store }) => {
    const { run } = await drive(store, "run-1", `${hostname()}:${process.pid}:first`);

    await expect(store.acquire(run, `${hostname()}:${process.pid}:second`, minute)).rejects.toMatchObject({
      code: "run-conflict",
    });
  },

  "gives the tree to one of many who ask at once": async ({ store }) => {
    const record = recordOf("run-1");
    await store.create(record);

    const asked = Array.from({ length: 10 }, (_, index) => store.acquire(record.id, `elsewhere:${index}:x`, minute));

    expect((await fates(asked)).sort()).toEqual(["kept", ...Array(9).fill("run-conflict")]);
  },

  "renews for the same owner without a new generation": async ({ store }) => {
    const { run, lease } = await drive(store);
    const before = await headOf(store, run);

    const renewed = await store.acquire(run, lease.owner, 2 * lease.ttlMs);

    expect(renewed).toEqual({ ...lease, ttlMs: 2 * lease.ttlMs });
    expect((await headOf(store, run)).lease?.expiresAt).toBeGreaterThan(before.lease?.expiresAt ?? Infinity);
  },

  "renews a lapsed lease that nobody took": async ({ store }) => {
    const { run, lease } = await drive(store);
    await store.acquire(run, lease.owner, 1);
    await eventually(async () => expect((await headOf(store, run)).lease?.expiresAt).toBeLessThan(Date.now()));

    expect((await store.acquire(run, lease.owner, minute)).generation).toBe(lease.generation);
  },

  "gives a lapsed lease to another owner, one generation on": async ({ store }) => {
    const { run, lease } = await drive(store);
    await store.acquire(run, lease.owner, 1);

    const taken = await eventually(() => store.acquire(run, "elsewhere:2:second", minute));

    expect(taken).toMatchObject({ owner: "elsewhere:2:second", generation: lease.generation + 1 });
    expect((await headOf(store, run)).lease?.owner).toBe("elsewhere:2:second");
  },

  "holds one tree without holding another": async ({ store }) => {
    await drive(store, "run-1", "elsewhere:1:first");

    expect((await drive(store, "run-2", "elsewhere:2:second")).lease.owner).toBe("elsewhere:2:second");
  },

  "gives a released tree to the next owner, one generation on": async ({ store }) => {
    const { run, lease } = await drive(store);

    await store.release(lease);
    expect((await headOf(store, run)).lease).toBeNull();

    const next = await store.acquire(run, "elsewhere:2:second", minute);
    expect(next.generation).toBe(lease.generation + 1);
  },

  "ignores a release by anyone but the holder": async ({ store }) => {
    const { run, lease } = await drive(store);

    await store.release({ ...lease, owner: "elsewhere:9:nobody" });
    await store.release({ ...lease, generation: lease.generation + 1 });
    await store.release({ ...lease, root: runId("run-unknown") });

    expect((await headOf(store, run)).lease?.owner).toBe(lease.owner);
  },

  "may be released twice": async ({ store }) => {
    const { run, lease } = await drive(store);

    await store.release(lease);
    const next = await store.acquire(run, "elsewhere:2:second", minute);
    await store.release(lease);

    expect((await headOf(store, run)).lease?.owner).toBe(next.owner);
  },

  "shows a child the lease of its tree": async ({ store }) => {
    const { run, lease } = await drive(store);
    const child = recordOf("run-1/1.1", { root: run, parent: run });
    await store.create(child);

    expect((await headOf(store, child.id)).lease?.owner).toBe(lease.owner);
  },
};
