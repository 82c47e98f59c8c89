// The heads of streams, read off their last events.
import {
  type Digest,
  genesis,
  type LeaseView,
  type RunHead,
  type RunId,
  type RunQuery,
  type RunState,
} from "@harness/spec";
import type { Connection } from "./connection.js";
import type { Owners } from "./owners.js";
import { streamState } from "./run-state.js";

interface Row {
  readonly id: RunId;
  readonly root: RunId;
  readonly parent: RunId | null;
  readonly createdAt: number;
  readonly workspace: string | null;
  readonly seq: number | null;
  readonly hash: Digest | null;
  readonly state: RunState;
  readonly owner: string | null;
  readonly process: string | null;
  readonly expiresAt: number | null;
}

/** A file that may not be written to can have a format from before workspaces were kept. */
const workspaceIn = (format: number) => (format > 1 ? "workspace" : "null");
const state = streamState("facts");

const selectIn = (format: number) => `
  select id, streams.root, parent, created_at as createdAt, ${workspaceIn(format)} as workspace, seq, hash, ${state} as state,
    owner, process, renewed_at + ttl_ms as expiresAt
  from streams
  left join events on run = key and seq = (select max(seq) from events where run = key)
  left join leases on leases.root = streams.root`;

/** Newest first; of the same age, the one that was created later first. */
export function runHeads({ statement, format }: Connection, owners: Owners, query: RunQuery): RunHead[] {
  const { id, root, workspace } = query;
  const wanted = Object.entries({ id, "streams.root": root, [workspaceIn(format)]: workspace, [state]: query.state });
  const given = wanted.filter(([, value]) => value !== undefined);
  const where = given.length === 0 ? "" : `where ${given.map(([column]) => `${column} = ?`).join(" and ")}`;
  const values = given.map(([, value]) => value);
  const limit = Math.trunc(Math.min(Math.max(query.limit ?? 100, 0), 2 ** 31));
  const sql = `${selectIn(format)} ${where} order by created_at desc, key desc limit ?`;
  return (statement(sql).all(...values, limit) as Row[]).map((row) => headOf(row, owners));
}

function headOf(row: Row, owners: Owners): RunHead {
  const { id, root, parent, createdAt, workspace, state } = row;
  const { seq, hash } = row.seq === null || row.hash === null ? genesis(id) : { seq: row.seq, hash: row.hash };
  const record = { id, root, parent, createdAt, ...(workspace === null ? {} : { workspace }) };
  return { ...record, state, seq, hash, lease: leaseOf(row, owners) };
}

function leaseOf({ owner, process, expiresAt }: Row, owners: Owners): LeaseView | null {
  return owner === null ? null : { owner, expiresAt: expiresAt ?? 0, isAlive: owners.isAlive(owner, process) };
}
