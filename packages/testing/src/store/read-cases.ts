// Promises of `read` without `follow`.
import { runId } from "@harness/spec";
import { expect } from "vitest";
import { collect, headOf } from "./observe.js";
import { type Driven, drive, stepStarted } from "./stream.js";
import type { Case, Subject } from "./subject.js";

/** A run of `count` events. */
async function filled({ store }: Subject, count: number): Promise<Driven> {
  const driven = await drive(store);
  const steps = Array.from({ length: count }, (_, index) => stepStarted(index + 1));
  await store.append(driven.lease, driven.run, driven.log.next(...steps));
  return driven;
}

export const readCases: Readonly<Record<string, Case>> = {
  "yields nothing for an unknown run": async ({ store }) => {
    expect(await collect(store.read(runId("run-unknown")))).toEqual([]);
    expect(await collect(store.read(runId("run-unknown"), { after: 3 }))).toEqual([]);
  },

  "yields what comes after a position": async (subject) => {
    const { run, log } = await filled(subject, 1_000);
    const { store } = subject;

    for (const after of [0, 1, 500, 999, 1_000, 5_000]) {
      expect(await collect(store.read(run, { after }))).toEqual(log.all.slice(after));
    }
  },

  "can be left in the middle, and read again": async (subject) => {
    const { run, lease, log } = await filled(subject, 1_000);
    const { store } = subject;

    for await (const event of store.read(run)) if (event.seq === 700) break;
    await store.append(lease, run, log.next(stepStarted(1_001)));

    expect(await collect(store.read(run))).toEqual(log.all);
  },

  "serves several readers at once": async (subject) => {
    const { run, log } = await filled(subject, 1_000);
    const { store } = subject;

    const all = await Promise.all(Array.from({ length: 5 }, () => collect(store.read(run))));

    expect(all).toEqual(Array(5).fill(log.all));
  },

  "does not mind that the run is written to while it is read": async (subject) => {
    const { run, lease, log } = await filled(subject, 1_000);
    const { store } = subject;
    const seqs: number[] = [];

    for await (const { seq } of store.read(run)) {
      seqs.push(seq);
      if (seq === 10) await store.append(lease, run, log.next(stepStarted(1_001), stepStarted(1_002)));
    }

    expect(seqs.length).toBeGreaterThanOrEqual(1_000);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect((await headOf(store, run)).seq).toBe(1_002);
  },

  "keeps runs apart": async ({ store }) => {
    const one = await drive(store, "run-1");
    const two = await drive(store, "run-2");
    await store.append(one.lease, one.run, one.log.next(stepStarted(1)));
    await store.append(two.lease, two.run, two.log.next(stepStarted(1), stepStarted(2)));

    expect(await collect(store.read(one.run))).toEqual(one.log.all);
    expect(await collect(store.read(two.run))).toEqual(two.log.all);
  },
};
