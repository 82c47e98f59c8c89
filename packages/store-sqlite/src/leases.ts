// Who may write to which tree. Every rule is looked at inside the transaction that acts on it, so that a driver that slept
// while its tree was taken finds out before its first row.
import { type Lease, LeaseLostError, RunConflictError, type RunId } from "@harness/spec";
import type { Owners } from "./owners.js";
import type { HeldLease, Transaction } from "./transaction.js";

const put =
  "insert into leases (root, owner, process, generation, ttl_ms, renewed_at) values (?, ?, ?, ?, ?, ?) on conflict (root) " +
  "do update set owner = excluded.owner, process = excluded.process, generation = excluded.generation, " +
  "ttl_ms = excluded.ttl_ms, renewed_at = excluded.renewed_at";
const renew = "update leases set renewed_at = ? where root = ?";
const free = "update leases set owner = null, process = null where root = ?";

export function acquireLease(tx: Transaction, owners: Owners, root: RunId, owner: string, ttlMs: number): Lease {
  const held = tx.lease(root);
  const isMine = held?.owner === owner;
  if (held && !isMine) refuseWhileHeld(root, held, tx.now(), owners);
  const generation = isMine ? held.generation : (held?.generation ?? 0) + 1;
  const process = owners.markOf(owner);
  const next = { owner, process, generation, ttlMs: Math.ceil(ttlMs), renewedAt: tx.now() };
  tx.statement(put).run(root, owner, process, generation, next.ttlMs, next.renewedAt);
  tx.keepLease(root, next);
  return { root, owner, generation, ttlMs };
}

/** Throws `RunConflictError` where somebody may be driving the tree. */
export function refuseWhileHeld(root: RunId, held: HeldLease, now: number, owners: Owners): void {
  const expiresAt = held.renewedAt + held.ttlMs;
  if (held.owner === null || now >= expiresAt) return;
  if (owners.isAlive(held.owner, held.process) === false) return;
  throw new RunConflictError(root, held.owner, expiresAt);
}

/** The row that `lease` stands for. Throws `LeaseLostError` when there is none any more. */
export function heldLease(tx: Transaction, lease: Lease, run: RunId): HeldLease {
  const held = tx.lease(lease.root);
  if (held?.owner === lease.owner && held.generation === lease.generation) return held;
  const holder = held?.owner ?? "nobody";
  throw new LeaseLostError(run, `${lease.owner} does not hold ${lease.root} any more, ${holder} does`);
}

/** Writes only once a quarter of the ttl has gone by; a driver that is quick does not pay for it. */
export function renewLease(tx: Transaction, root: RunId, held: HeldLease): void {
  // The database's clock is the system's; this is the cheaper way to ask for it, on the path of every step.
  if (Date.now() - held.renewedAt < held.ttlMs / 4) return;
  tx.statement(renew).run(tx.now(), root);
  held.renewedAt = tx.now();
}

export function releaseLease(tx: Transaction, lease: Lease): void {
  const held = tx.lease(lease.root);
  if (held?.owner !== lease.owner || held.generation !== lease.generation) return;
  tx.statement(free).run(lease.root);
  held.owner = null;
  held.process = null;
}
