// Which trees somebody may be driving, asked at once for the whole store.
import type { RunId } from "@harness/spec";
import type { Connection } from "../connection.js";
import type { Owners } from "../owners.js";

export interface DrivenTree {
  readonly root: RunId;
  readonly owner: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

const select = `
  select root, owner, process, renewed_at + ttl_ms as expiresAt from leases
  where owner is not null and renewed_at + ttl_ms > unixepoch('subsec') * 1000`;

/** Those whose lease is in force, without owners that are known to be dead. */
export function drivenTrees(statement: Connection["statement"], owners: Owners): readonly DrivenTree[] {
  const held = statement(select).all() as (DrivenTree & { readonly process: string | null })[];
  return held.filter(({ owner, process }) => owners.isAlive(owner, process) !== false);
}
