// Which runs an upkeep concerns: one with everything under it. Whether it may go on is decided inside the transaction that does it.
import { type RunId, type RunState, StoreError } from "@harness/spec";
import { refuseWhileHeld } from "../leases.js";
import type { Owners } from "../owners.js";
import { streamState } from "../run-state.js";
import type { Transaction } from "../transaction.js";

export interface TreeRun {
  readonly key: number;
  readonly id: RunId;
  readonly root: RunId;
  readonly state: RunState;
  /** 1 for a run whose words were emptied. */
  readonly isArchived: 0 | 1;
}

const last = "left join events on run = key and seq = (select max(seq) from events where run = key)";
const fields = `key, streams.id, streams.root, ${streamState("facts")} as state, archived_at is not null as isArchived`;

const selectUnder = `
  with recursive under (id, root) as (
    select id, root from streams where id = ?
    union
    select streams.id, streams.root from streams join under on streams.root = under.root and streams.parent = under.id
  )
  select ${fields} from under join streams using (id) ${last} order by key`;

const selectOlder = `
  select ${fields} from streams ${last}
  where streams.root in (select root from streams group by root having max(created_at) < ?) order by key`;

/** `run` and everything under it; nothing for an unknown one. */
export function runsUnder({ statement }: Pick<Transaction, "statement">, run: RunId): readonly TreeRun[] {
  return statement(selectUnder).all(run) as TreeRun[];
}

/** Every run of every tree in which all were created before `before`. */
export function runsOfTreesBefore({ statement }: Transaction, before: number): readonly TreeRun[] {
  return statement(selectOlder).all(before) as TreeRun[];
}

/** Throws `RunConflictError` where somebody may be driving the tree. */
export function refuseWhileDriven(tx: Transaction, owners: Owners, root: RunId): void {
  const held = tx.lease(root);
  if (held) refuseWhileHeld(root, held, tx.now(), owners);
}

/** Throws `StoreError` (`constraint`) for one that could still go on, which it could not without its words. */
export function refuseUnlessEnded(run: RunId, runs: readonly TreeRun[]): void {
  const open = runs.find(({ state }) => state !== "ended");
  if (!open) return;
  const which = open.id === run ? "it" : `run ${open.id} of its tree`;
  const state = open.state === "paused" ? "paused" : "not at its end";
  throw new StoreError(
    "constraint",
    `Could not archive run ${run}: ${which} is ${state}, and could not go on without its ` +
      "words. Resume it to its end first, or delete it.",
    { runId: run },
  );
}
