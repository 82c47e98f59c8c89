// Taking runs out of the store, with their events, answers, leases and blobs: in one transaction, and in as many statements
// whether they are few or many.
import type { RunId, StoreUpkeep } from "@harness/spec";
import type { Owners } from "../owners.js";
import type { Transaction } from "../transaction.js";
import { dropBlobsOf } from "./blob-names.js";
import { drivenTrees } from "./driven-trees.js";
import { refuseWhileDriven, runsOfTreesBefore, runsUnder, type TreeRun } from "./tree-runs.js";
import { weighRows } from "./weigh.js";

const inRuns = "run in (select value from json_each(?))";
const removals = {
  events: `delete from events where ${inRuns}`,
  answers: `delete from answers where ${inRuns}`,
  leases: "delete from leases where root in (select id from streams where key in (select value from json_each(?)))",
  streams: "delete from streams where key in (select value from json_each(?))",
} as const;

type Removed = Awaited<ReturnType<StoreUpkeep["delete"]>>;

/** `run` with everything under it; zeros for an unknown one. Throws `RunConflictError` while it is being driven. */
export function deleteRun(tx: Transaction, owners: Owners, run: RunId): Removed {
  const runs = runsUnder(tx, run);
  if (runs[0]) refuseWhileDriven(tx, owners, runs[0].root);
  return removeRuns(tx, runs);
}

/** Trees that are over and of which every run was created before `before`, by the driver's clock. */
export function sweepRuns(tx: Transaction, owners: Owners, before: number): Awaited<ReturnType<StoreUpkeep["sweep"]>> {
  const done: TreeRun[] = [];
  const refused: RunId[] = [];
  const driven = new Set(drivenTrees(tx.statement, owners).map(({ root }) => root));
  for (const [root, runs] of byRoot(runsOfTreesBefore(tx, before))) {
    const standing = runs.filter(({ state }) => state !== "ended").map(({ id }) => id);
    if (standing.length === 0 && !driven.has(root)) done.push(...runs);
    else refused.push(...(standing.length > 0 ? standing : [root]));
  }
  return { runs: removeRuns(tx, done).runs, refused };
}

function byRoot(runs: readonly TreeRun[]): ReadonlyMap<RunId, readonly TreeRun[]> {
  const trees = new Map<RunId, TreeRun[]>();
  for (const run of runs) {
    const tree = trees.get(run.root);
    if (tree) tree.push(run);
    else trees.set(run.root, [run]);
  }
  return trees;
}

function removeRuns(tx: Transaction, runs: readonly TreeRun[]): Removed {
  if (runs.length === 0) return { runs: 0, events: 0, bytes: 0 };
  const keys = runs.map(({ key }) => key);
  const bytes = weighRows(tx.statement, keys);
  const blobs = dropBlobsOf(tx, keys);
  const removed = (sql: string) => Number(tx.statement(sql).run(JSON.stringify(keys)).changes);
  const events = removed(removals.events);
  removed(removals.answers);
  removed(removals.leases);
  removed(removals.streams);
  // What is remembered of a run that is gone would let its driver write into nothing.
  tx.forget();
  return { runs: runs.length, events, bytes: bytes + blobs.bytes };
}
