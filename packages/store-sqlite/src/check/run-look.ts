// Whether every run is what was recorded: its chain, and the words and bytes that its events name. Of a run that was archived
// words may be gone, and some may be there because another run has the same. Where all words of another run are gone, they were
// emptied on purpose by other means; where some are there, the others are missing.
import { type BlobStore, type Digest, type RunId, type Store, type StoredEvent, verifyTrace } from "@harness/spec";
import { type Fault, isDamage, wordsOf } from "./fault.js";
import type { Inspection, Look } from "./inspection.js";

interface Row {
  readonly key: number;
  readonly id: RunId;
  readonly isArchived: 0 | 1;
}

const selectIn = (format: number) =>
  `select key, id, ${format > 1 ? "archived_at is not null" : "0"} as isArchived from streams where key > ? order by key limit 200`;

export const runLook: Look = {
  at: "The list of runs",
  async *faults(inspection) {
    for (let after = -1; ; ) {
      const rows = await inspection.look(
        "list runs",
        ({ format, statement }) => statement(selectIn(format)).all(after) as Row[],
      );
      for (const row of rows) {
        yield* runFaults(inspection, row);
        await inspection.rest();
      }
      const last = rows.at(-1);
      if (!last) return;
      after = last.key;
    }
  },
};

async function* runFaults(inspection: Inspection, { id: run, isArchived }: Row): AsyncGenerator<Fault> {
  const seen = witness(inspection);
  try {
    const check = await verifyTrace(seen.store, run);
    if (check.type === "broken") {
      yield { what: `Event ${check.seq} of run ${run} is not what was recorded: ${check.reason}` };
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    yield { what: `Run ${run} cannot be read: ${wordsOf(error)}` };
  }
  if (isArchived === 1 || seen.isEmptied()) return;
  for (const [seq, what] of seen.missing) yield { what: `Event ${seq} of run ${run} has lost ${what}` };
}

/** The store as `verifyTrace` reads it, noting on the way what is not there. */
function witness({ store, rest }: Inspection) {
  const missing = new Map<number, string>();
  let words = 0;
  let lost = 0;
  let current = 0;

  const get: BlobStore["get"] = async (digest) => {
    const bytes = await store.blobs.get(digest);
    if (!bytes) {
      lost += 1;
      missing.set(current, `its words: they are neither beside it nor in a blob ${digest}`);
    }
    return bytes;
  };

  async function* read(run: RunId): AsyncGenerator<StoredEvent> {
    for await (const event of store.read(run)) {
      current = event.seq;
      if (event.contentHash !== null) words += 1;
      const digest = keptDigest(event);
      if (digest && !(await store.blobs.get(digest))) {
        missing.set(current, `the file it kept: there is no blob ${digest}`);
      }
      yield event;
      await rest();
    }
  }

  const watched: Store = { ...store, read, blobs: { ...store.blobs, get } };
  return { store: watched, missing, isEmptied: () => lost > 0 && lost === words };
}

/** The name of the blob that holds a file as it was before the run changed it. */
function keptDigest({ facts }: StoredEvent): Digest | undefined {
  if (!facts.startsWith('{"type":"file.kept"')) return undefined;
  try {
    const { state, digest } = JSON.parse(facts);
    return state === "binary" ? digest : undefined;
  } catch {
    // Facts that are no JSON were not recorded so, which their hash tells.
    return undefined;
  }
}
