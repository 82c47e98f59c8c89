import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Digest,
  genesis,
  type RunEvent,
  redactor,
  runId,
  type Store,
  type StoredEvent,
  seal,
  sha256,
  verifyTrace,
} from "./index.js";

const run = runId("run-1");

/** As much of a store as a check reads. */
function arrayStore(events: readonly StoredEvent[], blobs: ReadonlyMap<Digest, Uint8Array> = new Map()): Store {
  const store: Pick<Store, "read" | "blobs"> = {
    async *read() {
      yield* events;
    },
    blobs: { put: unexpected, get: async (digest) => blobs.get(digest), delete: unexpected },
  };
  return store as Store;
}

async function unexpected(): Promise<never> {
  throw new Error("A check must not write.");
}

function sealAll(events: readonly RunEvent[]): readonly StoredEvent[] {
  let head = genesis(run);
  return events.map((event) => {
    const { stored } = seal(head, event, redactor());
    head = stored;
    return stored;
  });
}

/** A trace of `length` events with words in them, the last of them `run.finished` where asked for. */
function trace(length: number, words: readonly string[], isFinished: boolean): readonly StoredEvent[] {
  const events = Array.from({ length }, (_, index): RunEvent => {
    const envelope = { seq: index + 1, step: index, at: 1_000 + index };
    if (isFinished && index === length - 1) {
      return { type: "run.finished", ...envelope, ending: { type: "success" }, steps: index };
    }
    return index % 3 === 2
      ? { type: "step.started", ...envelope }
      : { type: "cancel.requested", ...envelope, content: { reason: words[index % words.length] ?? null } };
  });
  return sealAll(events);
}

const anyTrace = fc
  .record({
    length: fc.integer({ min: 1, max: 7 }),
    words: fc.array(fc.string(), { minLength: 1, maxLength: 4 }),
    isFinished: fc.boolean(),
  })
  .map(({ length, words, isFinished }) => trace(length, words, isFinished));

const texts = ["facts", "content", "contentHash", "hash"] as const;

/** A trace with one character of one stored text replaced or deleted, and where. */
const tampered = fc
  .record({
    events: anyTrace,
    nth: fc.nat(),
    field: fc.constantFrom(...texts),
    at: fc.nat(),
    by: fc.constantFrom("", "0", "x", '"', "\n", "é"),
  })
  .map(({ events, nth, field, at, by }) => {
    const index = nth % events.length;
    const text = events[index]?.[field] ?? null;
    const where = text === null ? 0 : at % text.length;
    const changed = text === null ? null : text.slice(0, where) + by + text.slice(where + 1);
    return { events, index, field, changed, isChanged: changed !== text };
  })
  .filter(({ isChanged }) => isChanged);

describe("verifyTrace", () => {
  it("verifies what was sealed, and says where the chain stands", async () => {
    await fc.assert(
      fc.asyncProperty(anyTrace, async (events) => {
        const last = events.at(-1);

        expect(await verifyTrace(arrayStore(events), run)).toEqual({
          type: "verified",
          head: { seq: last?.seq, hash: last?.hash },
          isFinished: last?.facts.startsWith('{"type":"run.finished"'),
          emptied: 0,
        });
      }),
    );
  });

  it("takes what undid a finished run's work for a part of it, and nothing else behind its end", async () => {
    const end: RunEvent = { type: "run.finished", seq: 1, step: 1, at: 1, ending: { type: "success" }, steps: 1 };
    const facts = { phase: "done", scope: "run", undid: null, forced: false, paths: [] } as const;
    const undone: RunEvent = { type: "files.rewound", seq: 2, step: 1, at: 2, ...facts };
    const more: RunEvent = { type: "step.started", seq: 3, step: 2, at: 3 };

    const verified = { type: "verified", isFinished: true, head: { seq: 2 } };
    expect(await verifyTrace(arrayStore(sealAll([end, undone])), run)).toMatchObject(verified);
    const broken = { type: "broken", seq: 3, reason: expect.stringContaining("behind run.finished") };
    expect(await verifyTrace(arrayStore(sealAll([end, undone, more])), run)).toMatchObject(broken);
  });

  it("verifies a stream without events as one that has not begun", async () => {
    expect(await verifyTrace(arrayStore([]), run)).toEqual({
      type: "verified",
      head: genesis(run),
      isFinished: false,
      emptied: 0,
    });
  });

  it("names the event in which one character was changed or deleted", async () => {
    await fc.assert(
      fc.asyncProperty(tampered, async ({ events, index, field, changed }) => {
        const stored = events.map((event, nth) => (nth === index ? { ...event, [field]: changed } : event));

        expect(await verifyTrace(arrayStore(stored as StoredEvent[]), run)).toMatchObject({
          type: "broken",
          seq: index + 1,
        });
      }),
      { numRuns: 400 },
    );
  });

  it("names the event behind one that is missing from the middle", async () => {
    await fc.assert(
      fc.asyncProperty(anyTrace, fc.nat(), async (events, nth) => {
        fc.pre(events.length > 1);
        const index = nth % (events.length - 1);

        expect(await verifyTrace(arrayStore(events.toSpliced(index, 1)), run)).toMatchObject({
          type: "broken",
          seq: index + 2,
          reason: expect.stringContaining("missing or moved"),
        });
      }),
    );
  });

  it("finds a middle event that is missing although the later ones were renumbered", async () => {
    const events = trace(4, ["a", "b"], true).toSpliced(1, 1);
    const renumbered = events.map((event, index) => ({ ...event, seq: index + 1 }));

    expect(await verifyTrace(arrayStore(renumbered), run)).toMatchObject({ type: "broken", seq: 2 });
  });

  it("finds two events that changed places, renumbered or not", async () => {
    await fc.assert(
      fc.asyncProperty(anyTrace, fc.nat(), fc.nat(), fc.boolean(), async (events, one, other, isRenumbered) => {
        const [i, j] = [one % events.length, other % events.length];
        fc.pre(i < j);
        const swapped = events.with(i, events[j] as StoredEvent).with(j, events[i] as StoredEvent);
        const stored = isRenumbered ? swapped.map((event, index) => ({ ...event, seq: index + 1 })) : swapped;

        const check = await verifyTrace(arrayStore(stored), run);

        expect(check).toMatchObject({ type: "broken", seq: stored[i]?.seq });
      }),
    );
  });

  it("finds an event that stands there twice", async () => {
    const events = trace(3, ["a"], false);

    const check = await verifyTrace(arrayStore(events.toSpliced(1, 0, events[0] as StoredEvent)), run);

    expect(check).toMatchObject({ type: "broken", seq: 1 });
  });

  it("does not verify one run's events under another run's name", async () => {
    const check = await verifyTrace(arrayStore(trace(3, ["a"], true)), runId("run-2"));

    expect(check).toMatchObject({ type: "broken", seq: 1 });
  });

  it("finds what was added behind run.finished", async () => {
    const finished: RunEvent = { type: "run.finished", seq: 1, step: 1, at: 5, ending: { type: "finished" }, steps: 1 };
    const events = sealAll([finished, { type: "step.started", seq: 2, step: 2, at: 6 }]);

    expect(await verifyTrace(arrayStore(events), run)).toEqual({
      type: "broken",
      seq: 2,
      reason: "it stands behind run.finished",
    });
  });

  it("still verifies when retention emptied the words, and counts them", async () => {
    await fc.assert(
      fc.asyncProperty(anyTrace, fc.infiniteStream(fc.boolean()), async (events, keep) => {
        const stored = events.map((event) => (keep.next().value ? event : { ...event, content: null }));
        const emptied = stored.filter(({ content, contentHash }) => content === null && contentHash !== null);

        expect(await verifyTrace(arrayStore(stored), run)).toMatchObject({
          type: "verified",
          emptied: emptied.length,
        });
      }),
    );
  });

  it("still finds changed facts when the words are gone", async () => {
    const emptied = trace(3, ["a"], true).map((event) => ({ ...event, content: null }));
    const stored = emptied.map((event) => ({ ...event, facts: event.facts.replace('"step":1', '"step":8') }));

    expect(await verifyTrace(arrayStore(stored), run)).toMatchObject({ type: "broken", seq: 2 });
  });

  it("reads content that was put away as a blob", async () => {
    const [event] = trace(1, ["long words"], false);
    const bytes = new TextEncoder().encode(event?.content ?? "");
    const stored = [{ ...event, content: null } as StoredEvent];
    const blobs = (kept: Uint8Array) => new Map([[event?.contentHash as Digest, kept]]);

    expect(await verifyTrace(arrayStore(stored, blobs(bytes)), run)).toMatchObject({ type: "verified", emptied: 0 });
    expect(await verifyTrace(arrayStore(stored, blobs(bytes.with(0, 33))), run)).toMatchObject({
      type: "broken",
      seq: 1,
      reason: "its content was changed",
    });
  });

  it("finds a tail that was cut when the head was kept elsewhere", async () => {
    const events = trace(4, ["a", "b"], false);
    const head = events.at(-1)?.hash;

    expect(await verifyTrace(arrayStore(events), run, head)).toMatchObject({ type: "verified" });
    expect(await verifyTrace(arrayStore(events.slice(0, 3)), run, head)).toMatchObject({ type: "broken", seq: 3 });
    expect(await verifyTrace(arrayStore([]), run, sha256("another"))).toMatchObject({ type: "broken", seq: 0 });
  });
});
