// Promises of `append` to a tree that is held: order, wholeness, and that it compares before it sets.
import { type Digest, sha256, verifyTrace } from "@harness/spec";
import { expect } from "vitest";
import { collect, fates, headOf } from "./observe.js";
import { drive, logOf, recordOf, replanned, runFinished, runStarted, stepFinished, stepStarted } from "./stream.js";
import type { Case } from "./subject.js";

const mebibyte = 2 ** 20;

export const appendCases: Readonly<Record<string, Case>> = {
  "keeps batches in order, and the chain verifies": async ({ store }) => {
    const { run, lease, log } = await drive(store);

    await store.append(lease, run, log.next(runStarted(run, "Fix it.")));
    await store.append(lease, run, log.next(stepStarted(1), stepFinished(1)));
    await store.append(lease, run, log.next(runFinished(1)));

    expect(await collect(store.read(run))).toEqual(log.all);
    expect(await verifyTrace(store, run, log.head.hash)).toEqual({
      type: "verified",
      head: log.head,
      isFinished: true,
      emptied: 0,
    });
  },

  "keeps text character for character": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const texts = [
      "",
      "👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
      "\u0000 and \u2028 and \ufeff",
      "é ≠ e\u0301",
      `"\\' -- \r\n\t`,
      "\ud800 alone",
      "𝄞".repeat(mebibyte / 4),
    ];

    await store.append(lease, run, log.next(...texts.map(replanned)));

    expect(await collect(store.read(run))).toEqual(log.all);
    expect(await verifyTrace(store, run)).toMatchObject({ type: "verified", head: log.head });
  },

  "tells no content, emptied content and content in a blob apart": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const [bare, emptied, large] = log.next(stepStarted(1), replanned("forgotten"), replanned("kept elsewhere"));
    const text = large?.content ?? "";
    const events = [bare, { ...emptied, content: null }, { ...large, content: null }] as typeof log.all;

    expect(await store.blobs.put(new TextEncoder().encode(text))).toBe(sha256(text));
    await store.append(lease, run, events);

    expect(await collect(store.read(run))).toEqual(events);
    expect(await verifyTrace(store, run)).toMatchObject({ type: "verified", emptied: 1 });
  },

  "keeps a large batch whole": async ({ store }) => {
    const { run, lease, log } = await drive(store);

    await store.append(lease, run, log.next(...Array.from({ length: 2_000 }, (_, index) => stepStarted(index + 1))));

    expect(await collect(store.read(run))).toEqual(log.all);
  },

  "keeps the events it was given, whatever becomes of the array": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const batch = [...log.next(stepStarted(1))];

    await store.append(lease, run, batch);
    batch.push(...log.next(stepFinished(1)));

    expect(await collect(store.read(run))).toEqual(log.all.slice(0, 1));
  },

  "writes nothing when the first event is not the next one": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1), stepFinished(1)));
    const [third, fourth] = log.next(stepStarted(2), stepFinished(2));
    const [first, second] = log.all;

    for (const batch of [[fourth], [second, third], [first]] as (typeof log.all)[]) {
      await expect(store.append(lease, run, batch)).rejects.toMatchObject({ code: "lease-lost", runId: run });
    }
    expect(await collect(store.read(run))).toEqual([first, second]);
  },

  "writes nothing of a batch with a hole in it": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const [first, , third] = log.next(stepStarted(1), stepFinished(1), stepStarted(2));

    await expect(store.append(lease, run, [first, third] as typeof log.all)).rejects.toThrow();

    expect(await collect(store.read(run))).toEqual([]);
    await store.append(lease, run, log.all);
    expect(await collect(store.read(run))).toEqual(log.all);
  },

  "lets one of many through that write the same event at once": async ({ store }) => {
    const { run, lease } = await drive(store);
    const rivals = Array.from({ length: 8 }, (_, index) => logOf(run).next(stepStarted(index + 1)));

    const outcome = await fates(rivals.map((events) => store.append(lease, run, events)));

    expect([...outcome].sort()).toEqual(["kept", ...Array(7).fill("lease-lost")]);
    expect(await collect(store.read(run))).toEqual(rivals[outcome.indexOf("kept")]);
  },

  "keeps what is good of a crowd in which some are refused": async ({ store }) => {
    const trees = await Promise.all(Array.from({ length: 40 }, (_, index) => drive(store, `run-${index}`)));
    const isBad = (index: number) => index % 10 === 3;
    const batches = trees.map(({ log }, index) =>
      isBad(index) ? log.next(stepStarted(1), stepFinished(1)).slice(1) : log.next(stepStarted(1), stepFinished(1)),
    );

    const appends = trees.map(({ run, lease }, index) => store.append(lease, run, batches[index] ?? []));

    expect(await fates(appends)).toEqual(trees.map((_, index) => (isBad(index) ? "lease-lost" : "kept")));
    for (const [index, { run }] of trees.entries()) {
      expect(await collect(store.read(run))).toEqual(isBad(index) ? [] : batches[index]);
    }
  },

  "writes to a child with the lease of its root": async ({ store }) => {
    const { run, lease } = await drive(store);
    const child = recordOf("run-1/1.1", { root: run, parent: run });
    const log = logOf(child.id);
    await store.create(child);

    await store.append(lease, child.id, log.next(stepStarted(1)));

    expect(await collect(store.read(child.id))).toEqual(log.all);
    expect(await collect(store.read(run))).toEqual([]);
  },

  "takes an empty batch as a heartbeat and writes nothing": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    await store.append(lease, run, log.next(stepStarted(1)));

    await store.append(lease, run, []);

    expect(await headOf(store, run)).toMatchObject({ ...log.head, lease: { owner: lease.owner } });
  },

  "does not judge the chain, which is the business of whoever verifies": async ({ store }) => {
    const { run, lease, log } = await drive(store);
    const [event] = log.next(stepStarted(1));
    const forged = { ...event, hash: sha256("made up") as Digest } as (typeof log.all)[number];

    await store.append(lease, run, [forged]);

    expect(await headOf(store, run)).toMatchObject({ hash: forged.hash });
    expect(await verifyTrace(store, run)).toMatchObject({ type: "broken", seq: 1 });
  },
};
