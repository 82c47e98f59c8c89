// What a write sees while its transaction is open: the lease of a tree and the head of a stream. Both are remembered from one
// transaction to the next. That is safe because a transaction begins by taking the file's write lock and then asks SQLite
// whether any other connection has committed since: if one has, nothing that is remembered counts.
import type { RunId } from "@harness/spec";
import type { Connection } from "./connection.js";
import { rollback } from "./format.js";

/** A row of `leases`. Changed only together with the row. */
export interface HeldLease {
  /** `null`: given back. The generation stays, so that none is given twice. */
  owner: string | null;
  process: string | null;
  generation: number;
  ttlMs: number;
  renewedAt: number;
}

/** A row of `streams` with its head. `seq` is changed only together with the stream. */
export interface OpenStream {
  readonly key: number;
  readonly root: RunId;
  readonly parent: RunId | null;
  readonly createdAt: number;
  readonly workspace: string | null;
  seq: number;
}

export interface Transaction {
  readonly statement: Connection["statement"];
  /** Epoch ms by the database's clock, the same throughout. */
  now(): number;
  lease(root: RunId): HeldLease | undefined;
  keepLease(root: RunId, lease: HeldLease): void;
  stream(run: RunId): OpenStream | undefined;
  /** For rows that are changed without the two above: nothing that is remembered counts any more. */
  forget(): void;
}

/** More streams than this are not remembered at once. */
const maxRemembered = 20_000;

const selectNow = "select cast(round(unixepoch('subsec') * 1000) as integer) as now";
const selectLease =
  "select owner, process, generation, ttl_ms as ttlMs, renewed_at as renewedAt from leases where root = ?";
const selectStream =
  "select key, root, parent, created_at as createdAt, workspace, " +
  "(select coalesce(max(seq), 0) from events where run = key) as seq from streams where id = ?";

export interface Transactions {
  /** Takes the write lock. Throws what the driver throws, `SQLITE_BUSY` when another has it. */
  begin(): Transaction;
  commit(): void;
  rollback(): void;
}

export function transactions(connection: Connection): Transactions {
  const { statement } = connection;
  const leases = new Map<RunId, HeldLease>();
  const streams = new Map<RunId, OpenStream>();
  let mark: string | number | undefined;
  let time: number | undefined;

  const transaction: Transaction = {
    statement,
    now() {
      time ??= (statement(selectNow).get() as { readonly now: number }).now;
      return time;
    },
    lease: (root) => remembered(leases, root, () => statement(selectLease).get(root) as HeldLease | undefined),
    keepLease: (root, held) => void leases.set(root, held),
    stream: (run) => remembered(streams, run, () => statement(selectStream).get(run) as OpenStream | undefined),
    forget,
  };

  function forget(): void {
    leases.clear();
    streams.clear();
  }

  function undo(): void {
    forget();
    rollback((sql) => statement(sql).run());
  }

  /** Only what was read or written since the last commit of another connection may be remembered. */
  function recall(): void {
    const now = connection.mark();
    if (now !== mark || streams.size > maxRemembered) forget();
    mark = now;
    time = undefined;
  }

  return {
    begin() {
      connection.assertInPlace();
      statement("begin immediate").run();
      try {
        recall();
      } catch (error) {
        undo();
        throw error;
      }
      return transaction;
    },
    commit: () => void statement("commit").run(),
    rollback: undo,
  };
}

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value | undefined): Value | undefined {
  const value = known.get(key) ?? find();
  if (value !== undefined) known.set(key, value);
  return value;
}
