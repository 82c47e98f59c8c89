// Emptying a run: every text that a person, a model or a tool wrote goes, wherever it lies, with the files that were kept for
// undoing. Facts, digests and the chain stay, so what happened can still be shown and verified.
import type { RunId, StoreUpkeep } from "@harness/spec";
import type { Owners } from "../owners.js";
import { hasWordsElsewhere } from "../schema.js";
import type { Transaction } from "../transaction.js";
import { dropBlobsOf } from "./blob-names.js";
import { refuseUnlessEnded, refuseWhileDriven, runsUnder } from "./tree-runs.js";

const inRuns = "run in (select value from json_each(?))";
const countElsewhere = `select count(*) as count from events where ${inRuns} and ${hasWordsElsewhere}`;
const empty = `update events set content = null where ${inRuns} and content is not null`;
const removeAnswers = `delete from answers where ${inRuns}`;
const mark = "update streams set archived_at = ? where key in (select value from json_each(?))";

/**
 * `run` with everything under it. Throws `RunConflictError` while it is being driven, and `StoreError` (`constraint`) for one
 * that has not ended. A run that was archived is left as it is.
 */
export function archiveRun(tx: Transaction, owners: Owners, run: RunId): Awaited<ReturnType<StoreUpkeep["archive"]>> {
  const runs = runsUnder(tx, run);
  const [top] = runs;
  if (!top) return { cleared: 0 };
  refuseWhileDriven(tx, owners, top.root);
  // A root that goes on needs the words of its children.
  refuseUnlessEnded(run, [...runs, ...runsUnder(tx, top.root).filter(({ id }) => id === top.root)]);
  const keys = runs.filter(({ isArchived }) => isArchived === 0).map(({ key }) => key);
  return { cleared: keys.length === 0 ? 0 : emptyRuns(tx, keys) };
}

function emptyRuns(tx: Transaction, keys: readonly number[]): number {
  const given = JSON.stringify(keys);
  const { count } = tx.statement(countElsewhere).get(given) as { readonly count: number };
  dropBlobsOf(tx, keys);
  const { changes } = tx.statement(empty).run(given);
  tx.statement(removeAnswers).run(given);
  tx.statement(mark).run(tx.now(), given);
  return count + Number(changes);
}
