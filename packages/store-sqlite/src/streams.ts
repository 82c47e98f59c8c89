// Starting a stream and appending to it.
import { type Lease, LeaseLostError, type RunId, type RunRecord, type StoredEvent, StoreError } from "@harness/spec";
import { heldLease, renewLease } from "./leases.js";
import type { Transaction } from "./transaction.js";

/** A record as it is stored: `null` for what it does not say. */
type StreamRecord = Omit<RunRecord, "workspace"> & { readonly workspace?: string | null };

const insertStream = "insert into streams (id, root, parent, created_at, workspace) values (?, ?, ?, ?, ?)";
const insertEvent = "insert into events (run, seq, hash, content_hash, facts, content) values (?, ?, ?, ?, ?, ?)";

export function createStream(tx: Transaction, { id, root, parent, createdAt, workspace = null }: StreamRecord): void {
  const known = tx.stream(id);
  if (!known) {
    tx.statement(insertStream).run(id, root, parent, createdAt, workspace);
  } else if (
    known.root !== root ||
    known.parent !== parent ||
    known.createdAt !== createdAt ||
    known.workspace !== workspace
  ) {
    throw new StoreError("constraint", `Could not create run ${id}: that id has another record. Take a new id.`, {
      runId: id,
    });
  }
}

/** Every check comes before the first row, so that what is refused has written nothing. */
export function appendEvents(tx: Transaction, lease: Lease, run: RunId, events: readonly StoredEvent[]): void {
  const held = heldLease(tx, lease, run);
  const stream = tx.stream(run);
  if (stream?.root !== lease.root) throw new LeaseLostError(run, `it is not under ${lease.root}`);
  compare(run, stream.seq, events);
  const insert = tx.statement(insertEvent);
  for (const { seq, hash, contentHash, facts, content } of events) {
    insert.run(stream.key, seq, hash, contentHash, facts, content);
  }
  stream.seq += events.length;
  renewLease(tx, lease.root, held);
}

function compare(run: RunId, head: number, events: readonly StoredEvent[]): void {
  for (const [index, { seq }] of events.entries()) {
    if (seq !== head + index + 1)
      throw new LeaseLostError(run, `event ${seq} does not follow on event ${head + index}`);
  }
}
