// The suite on a store that keeps every promise, and on stores that break one: it has to notice each.
import type { RunId, Store, StoreUpkeep } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { answerCases } from "./store/answer-cases.js";
import { appendCases } from "./store/append-cases.js";
import { archiveCases } from "./store/archive-cases.js";
import { blobCases } from "./store/blob-cases.js";
import { closeCases } from "./store/close-cases.js";
import { createCases } from "./store/create-cases.js";
import { deleteCases } from "./store/delete-cases.js";
import { leaseCases } from "./store/lease-cases.js";
import { readCases } from "./store/read-cases.js";
import { runsCases } from "./store/runs-cases.js";
import type { UpkeepCase } from "./store/subject.js";
import { sweepCases } from "./store/sweep-cases.js";
import { checkCases, compactCases, sizeCases } from "./store/tidying-cases.js";
import { toyStore } from "./store/toy-store.test-support.js";
import { describeStore } from "./store.js";

describeStore("a toy store", { open: toyStore });

type Whole = Store & StoreUpkeep;
type Cases = Readonly<Record<string, UpkeepCase>>;

/** The title of the first of `cases` that the store does not pass. */
async function firstFailure(cases: Cases, open: () => Whole): Promise<string | undefined> {
  for (const [title, prove] of Object.entries(cases)) {
    const store = open();
    try {
      await prove({ store, reopen: async () => store, [Symbol.asyncDispose]: async () => {} });
    } catch {
      return title;
    }
  }
  return undefined;
}

/** A toy store with another method in place of one of its own. */
const withDefect =
  <Key extends keyof Whole>(key: Key, make: (store: Whole) => Whole[Key]) =>
  () => {
    const store = toyStore();
    return { ...store, [key]: make(store) };
  };

/** Takes the tree from its holder without asking. */
async function rob(store: Store, root: RunId): Promise<void> {
  const [head] = await store.runs({ id: root });
  const owner = head?.lease?.owner ?? "";
  for (let generation = 1; generation < 5; generation++) await store.release({ root, owner, generation, ttlMs: 1 });
}

const defects: readonly (readonly [what: string, cases: Cases, open: () => Whole])[] = [
  [
    "forgets where a run works",
    createCases,
    withDefect(
      "create",
      (store) =>
        ({ workspace: _, ...record }) =>
          store.create(record),
    ),
  ],
  [
    "lists runs of every workspace",
    runsCases,
    withDefect(
      "runs",
      (store) =>
        ({ workspace: _, ...query } = {}) =>
          store.runs(query),
    ),
  ],
  [
    "takes a part of a batch",
    appendCases,
    withDefect("append", (store) => async (lease, run, events) => {
      for (const event of events) await store.append(lease, run, [event]);
    }),
  ],
  [
    "keeps what is given to it, and not a copy",
    blobCases,
    withDefect("blobs", ({ blobs }) => {
      const kept = new Map<string, Uint8Array>();
      return {
        ...blobs,
        async put(bytes) {
          const digest = await blobs.put(bytes);
          kept.set(digest, bytes);
          return digest;
        },
        get: async (digest) => kept.get(digest),
      };
    }),
  ],
  [
    "takes every answer for the first",
    answerCases,
    withDefect("answer", (store) => async (...given) => {
      await store.answer(...given);
      return true;
    }),
  ],
  [
    "reads one event too many",
    readCases,
    withDefect(
      "read",
      (store) =>
        (run, { after = 0 } = {}) =>
          store.read(run, { after: after - 1 }),
    ),
  ],
  [
    "gives a tree to whoever asks",
    leaseCases,
    withDefect("acquire", (store) => async (root, owner, ttlMs) => {
      await rob(store, root);
      return store.acquire(root, owner, ttlMs);
    }),
  ],
  ["works on after close", closeCases, withDefect("close", () => async () => {})],
  ["weighs what is not there", sizeCases, withDefect("size", () => async () => 1_000_000)],
  [
    "deletes what is being driven",
    deleteCases,
    withDefect("delete", (store) => async (run) => {
      await rob(store, run);
      return store.delete(run);
    }),
  ],
  [
    "deletes no blob",
    deleteCases,
    withDefect("delete", (store) => async (run) => {
      const put: Promise<unknown>[] = [];
      for await (const { contentHash } of store.read(run)) {
        const bytes = contentHash && (await store.blobs.get(contentHash));
        if (bytes) put.push(store.blobs.put(bytes));
      }
      await Promise.all(put);
      return store.delete(run);
    }),
  ],
  [
    "sweeps what was created on the very moment",
    sweepCases,
    withDefect("sweep", (store) => (before) => store.sweep(before + 1)),
  ],
  [
    "sweeps paused runs",
    sweepCases,
    withDefect("sweep", (store) => async (before) => {
      const swept = await store.sweep(before);
      for (const run of swept.refused) await store.delete(run).catch(() => {});
      return { runs: swept.runs + swept.refused.length, refused: [] };
    }),
  ],
  [
    "clears again what it has cleared",
    archiveCases,
    withDefect("archive", (store) => async (run) => ({ cleared: (await store.archive(run)).cleared || 1 })),
  ],
  ["says that it has archived, and has not", archiveCases, withDefect("archive", () => async () => ({ cleared: 0 }))],
  [
    "loses runs when it is compacted",
    compactCases,
    withDefect("compact", (store) => async () => {
      for (const { id } of await store.runs()) await store.delete(id);
      return 0;
    }),
  ],
  ["finds fault with what is in order", checkCases, withDefect("check", () => async () => ["It is blue."])],
];

describe("the suite", () => {
  it.each(defects)("fails a store that %s", async (_what, cases, open) => {
    expect(await firstFailure(cases, open)).toBeDefined();
  });
});
