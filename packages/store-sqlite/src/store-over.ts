// The port's methods, each over one question to the database or one write.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Answer, type ReadOptions, type RunId, type Store, type StoredEvent, StoreError } from "@harness/spec";
import { answersAfter, giveAnswer } from "./answers.js";
import { sqliteBlobs } from "./blobs.js";
import { eventsAfter } from "./events.js";
import type { Handle } from "./handle.js";
import { acquireLease, releaseLease } from "./leases.js";
import { type Owners, owners as ownersOfThisHost } from "./owners.js";
import { itemsOf } from "./page-items.js";
import { runHeads } from "./run-heads.js";
import { appendEvents, createStream } from "./streams.js";

/** The store that `handle` has open. */
export function storeOver(handle: Handle, owners: Owners = ownersOfThisHost()): Store {
  const { look, write, close } = handle;

  return {
    spec: 1,
    create: (record) =>
      write({ attempt: `create run ${record.id}`, run: record.id, rows: 1, work: (tx) => createStream(tx, record) }),
    acquire: (root, owner, ttlMs) =>
      write({ attempt: `acquire run ${root}`, rows: 1, work: (tx) => acquireLease(tx, owners, root, owner, ttlMs) }),
    append: (lease, run, events) =>
      write({
        attempt: `append to run ${run}`,
        run,
        rows: events.length,
        work: (tx) => appendEvents(tx, lease, run, events),
      }),
    release: (lease) => write({ attempt: `release run ${lease.root}`, rows: 1, work: (tx) => releaseLease(tx, lease) }),
    read: (run, readOptions) => itemsOf(readPages(handle, run, readOptions)),
    runs: (query = {}) => look("list runs", (connection) => runHeads(connection, owners, query)),
    answer: (run, answer) =>
      write({ attempt: `answer ${answer.request}`, run, rows: 1, work: (tx) => giveAnswer(tx, run, answer) }),
    answers: (run, readOptions) => answers(handle, run, readOptions),
    blobs: sqliteBlobs(handle),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function* readPages(
  { look, watch }: Handle,
  run: RunId,
  { after = 0, follow }: ReadOptions = {},
): AsyncGenerator<readonly StoredEvent[], void> {
  const watcher = follow && (await watch(run, follow));
  let position = after;
  let rows: number | undefined;
  let isBegun = false;
  try {
    for (;;) {
      const { events, more, ...next } = await look(`read run ${run}`, (db) => eventsAfter(db, run, position, rows));
      yield events;
      rows = next.rows;
      position = events.at(-1)?.seq ?? position;
      isBegun ||= events.length > 0;
      if (more === "no-run" && isBegun) throw deleted(run);
      if (more === "now") await nextTurn();
      else if (more === "never" || !(await watcher?.changed())) return;
    }
  } finally {
    watcher?.stop();
  }
}

/** What was read of it may be a part, and must not look like the whole. */
function deleted(run: RunId): StoreError {
  return new StoreError("missing", `Could not read on in run ${run}: it was deleted meanwhile.`, { runId: run });
}

async function* answers(
  { look, watch }: Handle,
  run: RunId,
  { follow }: { readonly follow?: AbortSignal } = {},
): AsyncGenerator<Answer> {
  const watcher = follow && (await watch(run, follow));
  let position = 0;
  try {
    do {
      for (const given of await look(`read answers to run ${run}`, (db) => answersAfter(db, run, position))) {
        position = given.position;
        yield given.answer;
      }
    } while (await watcher?.changed());
  } finally {
    watcher?.stop();
  }
}
