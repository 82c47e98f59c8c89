// Who may write to which tree. A released lease leaves its generation behind, so that no two owners ever have the same one.
import { type Lease, LeaseLostError, type LeaseView, RunConflictError, type RunId } from "@harness/spec";

/** What is kept of a tree's lease. */
export interface Held {
  /** `null`: nobody's. */
  owner: string | null;
  generation: number;
  ttlMs: number;
  renewedAt: number;
}

export function memoryLeases(now: () => number) {
  const trees = new Map<RunId, Held>();

  function find({ root, owner, generation }: Lease): Held | undefined {
    const held = trees.get(root);
    return held?.owner === owner && held.generation === generation ? held : undefined;
  }

  function acquire(root: RunId, owner: string, ttlMs: number): Lease {
    const at = now();
    const held = trees.get(root);
    if (held?.owner === owner) {
      Object.assign(held, { ttlMs, renewedAt: at });
      return { root, owner, generation: held.generation, ttlMs };
    }
    if (held?.owner && at < held.renewedAt + held.ttlMs) {
      throw new RunConflictError(root, held.owner, held.renewedAt + held.ttlMs);
    }
    const generation = (held?.generation ?? 0) + 1;
    trees.set(root, { owner, generation, ttlMs, renewedAt: at });
    return { root, owner, generation, ttlMs };
  }

  function held(lease: Lease, run: RunId): Held {
    const mine = find(lease);
    if (!mine) throw new LeaseLostError(run, `${lease.owner} does not hold ${lease.root} any more`);
    return mine;
  }

  function renew(mine: Held): void {
    const at = now();
    if (at - mine.renewedAt >= mine.ttlMs / 4) mine.renewedAt = at;
  }

  function release(lease: Lease): void {
    const mine = find(lease);
    if (mine) mine.owner = null;
  }

  function view(root: RunId): LeaseView | null {
    const held = trees.get(root);
    return held?.owner ? { owner: held.owner, expiresAt: held.renewedAt + held.ttlMs, isAlive: null } : null;
  }

  return { acquire, held, renew, release, view };
}
