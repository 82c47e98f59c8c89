// The heads of streams, read off their last events.
import { type Digest, genesis, type RunHead, type RunId, type RunQuery, type RunState } from "@harness/spec";
import type { Connection } from "./connection.js";
import type { Owners } from "./owners.js";

interface Row {
  readonly id: RunId;
  readonly root: RunId;
  readonly parent: RunId | null;
  readonly createdAt: number;
  readonly seq: number | null;
  readonly hash: Digest | null;
  readonly state: RunState;
  readonly owner: string | null;
  readonly process: string | null;
  readonly expiresAt: number | null;
}

const state = `case when facts glob '{"type":"run.finished"*' then 'ended' when facts glob '{"type":"run.paused"*' then 'paused' else 'running' end`;

const select = `
  select id, streams.root, parent, created_at as createdAt, seq, hash, ${state} as state,
    owner, process, renewed_at + ttl_ms as expiresAt
  from streams
  left join events on run = key and seq = (select max(seq) from events where run = key)
  left join leases on leases.root = streams.root`;

/** Newest first; of the same age, the one that was created later first. */
export function runHeads({ statement }: Connection, owners: Owners, query: RunQuery): RunHead[] {
  const wanted = Object.entries({ id: query.id, "streams.root": query.root, [state]: query.state });
  const given = wanted.filter(([, value]) => value !== undefined);
  const where = given.length === 0 ? "" : `where ${given.map(([column]) => `${column} = ?`).join(" and ")}`;
  const values = given.map(([, value]) => value);
  const limit = Math.trunc(Math.min(Math.max(query.limit ?? 100, 0), 2 ** 31));
  const rows = statement(`${select} ${where} order by created_at desc, key desc limit ?`).all(
    ...values,
    limit,
  ) as Row[];
  return rows.map((row) => headOf(row, owners));
}

function headOf(
  { id, root, parent, createdAt, state, owner, process, expiresAt, ...last }: Row,
  owners: Owners,
): RunHead {
  const { seq, hash } = last.seq === null || last.hash === null ? genesis(id) : (last as { seq: number; hash: Digest });
  const lease = owner === null ? null : { owner, expiresAt: expiresAt ?? 0, isAlive: owners.isAlive(owner, process) };
  return { id, root, parent, createdAt, state, seq, hash, lease };
}
