// Promises of `archive`: words go, wherever they lie; facts, digests and the chain stay.
import { type Store, verifyTrace } from "@harness/spec";
import { expect } from "vitest";
import { fill, fillChild, words } from "./kept-run.js";
import { collect, headOf } from "./observe.js";
import { type Driven, runPaused } from "./stream.js";
import type { UpkeepCase } from "./subject.js";

const emptied = ({ log }: Driven) => log.all.map((event) => ({ ...event, content: null }));

async function everythingOf(store: Store, { run }: Driven): Promise<string> {
  return JSON.stringify([await collect(store.read(run)), await collect(store.answers(run)), await headOf(store, run)]);
}

export const archiveCases: Readonly<Record<string, UpkeepCase>> = {
  "empties every content, and the chain still verifies and says how much it could not check": async ({ store }) => {
    const kept = await fill(store, "run-1");
    const before = await headOf(store, kept.run);

    const { cleared } = await store.archive(kept.run);

    const contents = kept.log.all.filter(({ contentHash }) => contentHash !== null);
    expect(cleared).toBe(contents.length);
    expect(await collect(store.read(kept.run))).toEqual(emptied(kept));
    expect(await headOf(store, kept.run)).toEqual(before);
    expect(await verifyTrace(store, kept.run, kept.log.head.hash)).toEqual({
      type: "verified",
      head: kept.log.head,
      isFinished: true,
      emptied: contents.length,
    });
    expect(await everythingOf(store, kept)).not.toContain(words);
  },

  "removes words and files that lie in blobs": async ({ store }) => {
    const { run, large, file } = await fill(store, "run-1");

    await store.archive(run);

    expect(await store.blobs.get(large)).toBeUndefined();
    expect(await store.blobs.get(file)).toBeUndefined();
  },

  "leaves blobs that another run has too, and the other run whole": async ({ store }) => {
    const one = await fill(store, "run-1", { seed: "both" });
    const two = await fill(store, "run-2", { seed: "both" });

    await store.archive(one.run);

    expect(await store.blobs.get(two.file)).toBeDefined();
    expect(await verifyTrace(store, two.run)).toMatchObject({ type: "verified", emptied: 0 });
    await store.archive(two.run);
    expect(await store.blobs.get(two.file)).toBeUndefined();
    expect(await store.blobs.get(two.large)).toBeUndefined();
  },

  "leaves other runs alone": async ({ store }) => {
    const { run } = await fill(store, "run-1");
    const other = await fill(store, "run-2");
    const before = await everythingOf(store, other);

    await store.archive(run);

    expect(await everythingOf(store, other)).toBe(before);
    expect(await verifyTrace(store, other.run)).toMatchObject({ type: "verified", emptied: 0 });
  },

  "is once when it is twice": async ({ store }) => {
    const kept = await fill(store, "run-1");
    await store.archive(kept.run);
    const before = await everythingOf(store, kept);

    expect(await store.archive(kept.run)).toEqual({ cleared: 0 });

    expect(await everythingOf(store, kept)).toBe(before);
  },

  "takes everything under the run along": async ({ store }) => {
    const kept = await fill(store, "run-1");
    const child = await fillChild(store, kept);

    await store.archive(kept.run);

    expect(await collect(store.read(child.run))).toEqual(emptied(child));
  },

  "is refused for a run that could still go on, which is left as it was": async ({ store }) => {
    for (const state of ["paused", "running"] as const) {
      const kept = await fill(store, state, { state });
      const before = await everythingOf(store, kept);

      await expect(store.archive(kept.run)).rejects.toMatchObject({
        code: "store-failed",
        kind: "constraint",
        runId: kept.run,
      });

      expect(await everythingOf(store, kept)).toBe(before);
      expect(await store.blobs.get(kept.large)).toBeDefined();
    }
  },

  "is refused where a run of the tree could still go on": async ({ store }) => {
    const ended = await fill(store, "ended");
    await fillChild(store, ended, runPaused(1));
    const paused = await fill(store, "paused", { state: "paused" });
    const child = await fillChild(store, paused);

    for (const { run } of [ended, child]) {
      await expect(store.archive(run)).rejects.toMatchObject({ code: "store-failed", kind: "constraint" });
    }
    expect(await verifyTrace(store, child.run)).toMatchObject({ type: "verified", emptied: 0 });
  },

  "is refused while the run is being driven": async ({ store }) => {
    const { run, lease } = await fill(store, "run-1");
    await store.acquire(run, lease.owner, 600_000);

    await expect(store.archive(run)).rejects.toMatchObject({ code: "run-conflict", owner: lease.owner });

    expect(await verifyTrace(store, run)).toMatchObject({ type: "verified", emptied: 0 });
  },

  "clears nothing of an unknown run": async ({ store }) => {
    expect(await store.archive("run-unknown" as Driven["run"])).toEqual({ cleared: 0 });
  },
};
