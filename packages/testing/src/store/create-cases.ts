// Promises of `create`.
import { genesis } from "@harness/spec";
import { expect } from "vitest";
import { collect, fates, headOf } from "./observe.js";
import { drive, recordOf } from "./stream.js";
import type { Case } from "./subject.js";

export const createCases: Readonly<Record<string, Case>> = {
  "starts an empty stream, whose head is the genesis hash": async ({ store }) => {
    const record = recordOf("run-1");

    await store.create(record);

    const { hash } = genesis(record.id);
    expect(await store.runs()).toEqual([{ ...record, state: "running", seq: 0, hash, lease: null }]);
    expect(await collect(store.read(record.id))).toEqual([]);
  },

  "keeps the root and the parent of a run in a tree": async ({ store }) => {
    const { run } = await drive(store);
    const child = recordOf("run-1/1.1", { root: run, parent: run });

    await store.create(child);

    expect(await headOf(store, child.id)).toMatchObject(child);
  },

  "keeps where a run works, and says nothing of it where it was not told": async ({ store }) => {
    const [told, untold] = [recordOf("run-1", { workspace: "/srv/project ü" }), recordOf("run-2")];

    await store.create(told);
    await store.create(told);
    await store.create(untold);

    expect((await headOf(store, told.id)).workspace).toBe(told.workspace);
    expect(await headOf(store, untold.id)).not.toHaveProperty("workspace");
  },

  "takes the same record twice as once": async ({ store }) => {
    const record = recordOf("run-1");

    await store.create(record);
    await store.create({ ...record });

    expect(await store.runs()).toHaveLength(1);
  },

  "takes the same record from many at once as once": async ({ store }) => {
    const record = recordOf("run-1");

    expect(await fates(Array.from({ length: 20 }, () => store.create(record)))).toEqual(Array(20).fill("kept"));
    expect(await store.runs()).toHaveLength(1);
  },

  "keeps the events of a stream that is created again": async ({ store }) => {
    const { run, record, lease, log } = await drive(store);
    await store.append(lease, run, log.next({ type: "step.started", step: 1 }));

    await store.create(record);

    expect(await collect(store.read(run))).toEqual(log.all);
  },

  "rejects another record under a known id, and keeps the first": async ({ store }) => {
    const record = recordOf("run-1");
    const other = recordOf("run-2");
    await store.create(record);
    await store.create(other);

    for (const change of [
      { root: other.id },
      { parent: other.id },
      { createdAt: record.createdAt + 1 },
      { workspace: "/x" },
    ]) {
      await expect(store.create({ ...record, ...change })).rejects.toMatchObject({
        code: "store-failed",
        kind: "constraint",
      });
    }
    expect(await headOf(store, record.id)).toMatchObject(record);
  },
};
