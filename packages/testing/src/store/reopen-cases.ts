// What a store that declares `survivesReopen` keeps in its place, and what two handles on that place see of one another.
import { verifyTrace } from "@harness/spec";
import { expect } from "vitest";
import { approval } from "./answer-cases.js";
import { collect, eventually, fates, headOf } from "./observe.js";
import { drive, logOf, recordOf, replanned, runFinished, stepFinished, stepStarted } from "./stream.js";
import type { Case } from "./subject.js";

const second = "elsewhere:2:second";
const minute = 60_000;

export const reopenCases: Readonly<Record<string, Case>> = {
  "has every event, answer and blob": async ({ store, reopen }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1), replanned("👍"), runFinished(1)));
    await store.answer(run, approval(run, 1));
    const digest = await store.blobs.put(Uint8Array.of(1, 2, 3));
    await store.close();

    const again = await reopen();

    expect(await collect(again.read(run))).toEqual(log.all);
    expect(await verifyTrace(again, run, log.head.hash)).toMatchObject({ type: "verified", isFinished: true });
    expect(await collect(again.answers(run))).toEqual([approval(run, 1)]);
    expect(await again.answer(run, approval(run, 1, "late"))).toBe(false);
    expect(await again.blobs.get(digest)).toEqual(Uint8Array.of(1, 2, 3));
  },

  "has every record and state": async ({ store, reopen }) => {
    const { lease, run, log } = await drive(store);
    await store.create(recordOf("run-2", { createdAt: 1 }));
    await store.append(lease, run, log.next(stepStarted(1), runFinished(1)));
    await store.release(lease);
    const before = await store.runs();
    await store.close();

    expect(await (await reopen()).runs()).toEqual(before);
  },

  "has the lease: its holder goes on, and nobody else does": async ({ store, reopen }) => {
    const { run, lease, log } = await drive(store);
    await store.close();

    const again = await reopen();

    await expect(again.acquire(run, second, minute)).rejects.toMatchObject({
      code: "run-conflict",
      owner: lease.owner,
    });
    await again.append(lease, run, log.next(stepStarted(1)));
    expect(await collect(again.read(run))).toEqual(log.all);
  },

  "never gives a generation twice": async ({ store, reopen }) => {
    const { run, lease } = await drive(store);
    await store.release(lease);
    await store.close();

    expect((await (await reopen()).acquire(run, second, minute)).generation).toBe(lease.generation + 1);
  },
};

export const handleCases: Readonly<Record<string, Case>> = {
  "see one another's events at once": async ({ store, reopen }) => {
    const other = await reopen();
    const { run, lease, log } = await drive(store);

    await store.append(lease, run, log.next(stepStarted(1)));
    await other.append(lease, run, log.next(stepFinished(1), stepStarted(2)));
    await store.append(lease, run, log.next(stepFinished(2)));

    expect(await collect(other.read(run))).toEqual(log.all);
    expect(await headOf(other, run)).toEqual(await headOf(store, run));
  },

  "give a tree to one driver: the other is told who has it": async ({ store, reopen }) => {
    const other = await reopen();
    const record = recordOf("run-1");
    await Promise.all([store.create(record), other.create(record)]);

    const asked = [store.acquire(record.id, "elsewhere:1:a", minute), other.acquire(record.id, second, minute)];

    expect((await fates(asked)).sort()).toEqual(["kept", "run-conflict"]);
  },

  "fence a driver that wakes up after its tree was taken": async ({ store, reopen }) => {
    const other = await reopen();
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1)));
    const stale = await store.acquire(run, lease.owner, 1);
    const taken = await eventually(() => other.acquire(run, second, minute));
    const batch = log.next(stepFinished(1));

    await expect(store.append(stale, run, batch)).rejects.toMatchObject({ code: "lease-lost" });
    await other.append(taken, run, batch);
    await expect(store.append(stale, run, log.next(stepStarted(2)))).rejects.toMatchObject({ code: "lease-lost" });

    expect(await collect(store.read(run))).toEqual(log.all.slice(0, 2));
  },

  "let one append through of two with the same lease and position": async ({ store, reopen }) => {
    const other = await reopen();
    const { run, lease } = await drive(store);

    for (let seq = 1; seq <= 20; seq++) {
      const [mine, theirs] = [logOf(run), logOf(run)];
      mine.next(...Array(seq).fill(stepStarted(1)));
      theirs.next(...Array(seq).fill(stepStarted(2)));
      const appends = [store.append(lease, run, mine.all.slice(-1)), other.append(lease, run, theirs.all.slice(-1))];
      expect((await fates(appends)).sort()).toEqual(["kept", "lease-lost"]);
    }
    expect((await collect(store.read(run))).map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  },

  "take one answer between them": async ({ store, reopen }) => {
    const other = await reopen();
    const { run } = await drive(store);

    const taken = await Promise.all(
      [store, other].map((handle, index) => handle.answer(run, approval(run, 1, `${index}`))),
    );

    expect([...taken].sort()).toEqual([false, true]);
    expect(await collect(store.answers(run))).toEqual(await collect(other.answers(run)));
  },

  "write to different trees at once": async ({ store, reopen }) => {
    const handles = [store, await reopen(), await reopen()];

    const logs = await Promise.all(
      handles.map(async (handle, index) => {
        const { run, lease, log } = await drive(handle, `run-${index}`);
        for (let step = 1; step <= 25; step++) await handle.append(lease, run, log.next(stepStarted(step)));
        return { run, log };
      }),
    );

    for (const { run, log } of logs) expect(await collect(store.read(run))).toEqual(log.all);
  },
};
