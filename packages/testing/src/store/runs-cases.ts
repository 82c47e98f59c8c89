// Promises of `runs`: the heads of streams, all of it read off their last events.
import { type RunQuery, runId, type Store } from "@harness/spec";
import { expect } from "vitest";
import { headOf } from "./observe.js";
import { drive, filesRewound, recordOf, runFinished, runPaused, runStarted, stepStarted } from "./stream.js";
import type { Case } from "./subject.js";

/** Three trees, oldest first: one ended, one paused that has a child, and one that runs. */
async function threeTrees(store: Store): Promise<void> {
  const ended = await drive(store, "ended");
  const paused = await drive(store, "paused");
  for (const [name, createdAt] of [
    ["old", 10],
    ["young", 30],
    ["middle", 20],
  ] as const) {
    await store.create(recordOf(name, { createdAt }));
  }
  await store.create(recordOf("child", { root: paused.run, parent: paused.run, createdAt: 40 }));
  await store.append(ended.lease, ended.run, ended.log.next(stepStarted(1), runFinished(1)));
  await store.append(paused.lease, paused.run, paused.log.next(stepStarted(1), runPaused(1)));
}

async function names(store: Store, query?: RunQuery): Promise<string[]> {
  return (await store.runs(query)).map((head) => head.id);
}

export const runsCases: Readonly<Record<string, Case>> = {
  "lists nothing where nothing is": async ({ store }) => {
    expect(await store.runs()).toEqual([]);
    expect(await store.runs({ id: runId("run-unknown") })).toEqual([]);
  },

  "follows the last event: running, paused, running again, ended": async ({ store }) => {
    const { run, lease, log } = await drive(store);

    for (const [event, state] of [
      [runStarted(run, "Fix it."), "running"],
      [runPaused(0), "paused"],
      [stepStarted(1), "running"],
      [runFinished(1), "ended"],
    ] as const) {
      await store.append(lease, run, log.next(event));
      expect(await headOf(store, run)).toMatchObject({ ...log.head, state });
    }
  },

  "takes a state from the last event's type, not from what its text says": async ({ store }) => {
    const { run, lease, log } = await drive(store);

    await store.append(lease, run, log.next(runStarted(run, '{"type":"run.finished"} run.paused')));

    expect(await headOf(store, run)).toMatchObject({ state: "running" });
  },

  "puts the newest first": async ({ store }) => {
    await threeTrees(store);

    const listed = await names(store);

    expect(listed.slice(0, 2).sort()).toEqual(["ended", "paused"]);
    expect(listed.slice(2)).toEqual(["child", "young", "middle", "old"]);
  },

  "finds by id, by root, by state, and by all of them": async ({ store }) => {
    await threeTrees(store);
    const paused = runId("paused");

    expect(await names(store, { id: paused })).toEqual(["paused"]);
    expect(await names(store, { root: paused })).toEqual(["paused", "child"]);
    expect(await names(store, { state: "paused" })).toEqual(["paused"]);
    expect(await names(store, { state: "ended" })).toEqual(["ended"]);
    expect(await names(store, { state: "running" })).toEqual(["child", "young", "middle", "old"]);
    expect(await names(store, { root: paused, state: "running" })).toEqual(["child"]);
    expect(await names(store, { id: paused, state: "ended" })).toEqual([]);
  },

  "finds by workspace, which is compared as it stands": async ({ store }) => {
    const inProject = { workspace: "/srv/project" };
    await store.create(recordOf("old", { ...inProject, createdAt: 10 }));
    await store.create(recordOf("young", { ...inProject, createdAt: 30 }));
    await store.create(recordOf("under", { workspace: "/srv/project/sub", createdAt: 20 }));
    await store.create(recordOf("nowhere", { createdAt: 40 }));

    expect(await names(store, inProject)).toEqual(["young", "old"]);
    expect(await names(store, { ...inProject, limit: 1 })).toEqual(["young"]);
    expect(await names(store, { ...inProject, id: runId("old") })).toEqual(["old"]);
    expect(await names(store, { ...inProject, state: "ended" })).toEqual([]);
    expect(await names(store, { workspace: "/srv/project/" })).toEqual([]);
  },

  "leaves a run where it stands when files are put back behind its end or its pause": async ({ store }) => {
    for (const [name, last, state] of [
      ["ended", runFinished(1), "ended"],
      ["paused", runPaused(1), "paused"],
    ] as const) {
      const { run, lease, log } = await drive(store, name);
      await store.append(lease, run, log.next(stepStarted(1), last, filesRewound(1), filesRewound(1)));

      expect(await headOf(store, run)).toMatchObject({ ...log.head, state });
      expect(await names(store, { state })).toEqual([name]);
    }
    expect(await names(store, { state: "running" })).toEqual([]);
  },

  "lists as many as asked for, counted after the filter": async ({ store }) => {
    await threeTrees(store);

    expect(await names(store, { limit: 3 })).toHaveLength(3);
    expect(await names(store, { state: "running", limit: 2 })).toEqual(["child", "young"]);
  },

  "lists 100 where nothing else is asked for": async ({ store }) => {
    await Promise.all(Array.from({ length: 101 }, (_, at) => store.create(recordOf(`run-${at}`, { createdAt: at }))));

    const listed = await names(store);

    expect(listed).toEqual(Array.from({ length: 100 }, (_, index) => `run-${100 - index}`));
    expect(await names(store, { limit: 500 })).toHaveLength(101);
  },
};
