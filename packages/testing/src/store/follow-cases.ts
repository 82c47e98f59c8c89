// Promises of `follow`: a reader that waits for more. The second list is for writers that the reader's handle does not know.

import { runId, type Store } from "@harness/spec";
import { expect } from "vitest";
import { approval } from "./answer-cases.js";
import { collect, watch } from "./observe.js";
import {
  type Driven,
  drive,
  filesRewound,
  recordOf,
  runFinished,
  runPaused,
  stepFinished,
  stepStarted,
} from "./stream.js";
import type { Case } from "./subject.js";

const forever = () => new AbortController().signal;

export const followCases: Readonly<Record<string, Case>> = {
  "yields what is there, then what is appended, and ends behind run.finished": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1)));

    const reader = watch(store.read(run, { follow: forever() }));
    await reader.has(1);
    await store.append(lease, run, log.next(stepFinished(1), runPaused(1)));
    await reader.has(3);
    await store.append(lease, run, log.next(stepStarted(2), runFinished(2)));
    await reader.done;

    expect(reader.seen).toEqual(log.all);
  },

  "ends at once for a run that is finished": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1), runFinished(1)));

    expect(await collect(store.read(run, { follow: forever() }))).toEqual(log.all);
    expect(await collect(store.read(run, { follow: forever(), after: 1 }))).toEqual(log.all.slice(1));
  },

  "ends for a run whose files were put back behind its end": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1), runFinished(1), filesRewound(1)));

    expect(await collect(store.read(run, { follow: forever() }))).toEqual(log.all);
    expect(await collect(store.read(run, { follow: forever(), after: 2 }))).toEqual(log.all.slice(2));
  },

  "ends without an error when the signal fires": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1)));
    const stop = new AbortController();

    const reader = watch(store.read(run, { follow: stop.signal }));
    await reader.has(1);
    stop.abort();
    await reader.done;

    expect(reader.seen).toEqual(log.all);
  },

  "yields what is there when the signal has fired before": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1)));

    expect(await collect(store.read(run, { follow: AbortSignal.abort() }))).toEqual(log.all);
  },

  "yields only what comes after a position": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1), stepFinished(1)));

    const reader = watch(store.read(run, { follow: forever(), after: 2 }));
    await store.append(lease, run, log.next(stepStarted(2), runFinished(2)));
    await reader.done;

    expect(reader.seen).toEqual(log.all.slice(2));
  },

  "waits for a run that is not there yet, and for its first answer": async ({ store }) => {
    const { id } = recordOf("run-1");
    const stop = new AbortController();
    const reader = watch(store.read(id, { follow: forever() }));
    const inbox = watch(store.answers(id, { follow: stop.signal }));

    const { run, lease, log } = await drive(store);
    await store.answer(run, approval(run, 1));
    await store.append(lease, run, log.next(stepStarted(1), runFinished(1)));
    await reader.done;
    await inbox.has(1);
    stop.abort();
    await inbox.done;

    expect(reader.seen).toEqual(log.all);
    expect(inbox.seen).toEqual([approval(run, 1)]);
  },

  "ends for a run that never came, when the signal fires": async ({ store }) => {
    const stop = new AbortController();
    const reader = watch(store.read(runId("run-unknown"), { follow: stop.signal }));
    await store.runs();

    stop.abort();
    await reader.done;

    expect(reader.seen).toEqual([]);
  },

  "goes on over a pause and a change of drivers": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const reader = watch(store.read(run, { follow: forever() }));
    await store.append(lease, run, log.next(stepStarted(1), runPaused(1)));
    await reader.has(2);
    await store.release(lease);

    const next = await store.acquire(run, "elsewhere:2:second", 60_000);
    await store.append(next, run, log.next(stepStarted(2)));
    await reader.has(3);
    await store.append(next, run, log.next(runFinished(2)));
    await reader.done;

    expect(reader.seen).toEqual(log.all);
  },

  "misses nothing between many small appends, whoever reads": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const readers = Array.from({ length: 10 }, () => watch(store.read(run, { follow: forever() })));

    for (let step = 1; step <= 100; step++) await store.append(lease, run, log.next(stepStarted(step)));
    await store.append(lease, run, log.next(runFinished(100)));

    for (const reader of readers) {
      await reader.done;
      expect(reader.seen).toEqual(log.all);
    }
  },

  "can be left while it waits, without stopping others": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const other = watch(store.read(run, { follow: forever() }));
    await store.append(lease, run, log.next(stepStarted(1)));

    for await (const _ of store.read(run, { follow: forever() })) break;
    await store.append(lease, run, log.next(runFinished(1)));
    await other.done;

    expect(other.seen).toEqual(log.all);
  },

  "yields answers as they come, until the signal fires": async ({ store }) => {
    const { run } = await drive(store);
    const stop = new AbortController();
    await store.answer(run, approval(run, 1));

    const reader = watch(store.answers(run, { follow: stop.signal }));
    await reader.has(1);
    await store.answer(run, approval(run, 2));
    await reader.has(2);
    stop.abort();
    await reader.done;

    expect(reader.seen).toEqual([approval(run, 1), approval(run, 2)]);
  },

  "does not outlive the store": async ({ store }) => {
    const { run } = await drive(store);
    const readers = [watch(store.read(run, { follow: forever() })), watch(store.answers(run, { follow: forever() }))];

    await store.close();

    const ends = await Promise.all(readers.map(({ done }) => done.catch((error: unknown) => error)));
    for (const end of ends) if (end !== undefined) expect(end).toMatchObject({ code: "store-failed", kind: "closed" });
  },
};

/** Appends through another handle than the one that is read. */
async function driveElsewhere(
  subject: Parameters<Case>[0],
): Promise<Driven & { store: Store; append: (driven: Driven) => Promise<void> }> {
  const other = await subject.reopen();
  const driven = await drive(other);
  return {
    ...driven,
    store: other,
    append: async ({ run, lease, log }) => other.append(lease, run, log.next(stepStarted(log.all.length + 1))),
  };
}

export const followElsewhereCases: Readonly<Record<string, Case>> = {
  "sees what another handle appends": async (subject) => {
    const { append, ...driven } = await driveElsewhere(subject);
    const stop = new AbortController();

    const reader = watch(subject.store.read(driven.run, { follow: stop.signal }));
    for (const count of [1, 2, 3]) {
      await append(driven);
      await reader.has(count);
    }
    stop.abort();
    await reader.done;

    expect(reader.seen).toEqual(driven.log.all);
  },

  "waits for a run that another handle creates, and ends behind its run.finished": async (subject) => {
    const { id } = recordOf("run-1");
    const reader = watch(subject.store.read(id, { follow: forever() }));
    await subject.store.runs();

    const { append, store, ...driven } = await driveElsewhere(subject);
    await append(driven);
    await reader.has(1);
    await store.append(driven.lease, driven.run, driven.log.next(runFinished(1)));
    await reader.done;

    expect(reader.seen).toEqual(driven.log.all);
  },

  "sees what another handle answers": async (subject) => {
    const { run } = await drive(subject.store);
    const other = await subject.reopen();
    const stop = new AbortController();

    const reader = watch(subject.store.answers(run, { follow: stop.signal }));
    for (const index of [1, 2]) {
      await other.answer(run, approval(run, index));
      await reader.has(index);
    }
    stop.abort();
    await reader.done;

    expect(reader.seen).toEqual([approval(run, 1), approval(run, 2)]);
  },
};
