// The store's upkeep, each method over one write: so that it happens whole or not at all, whenever the process ends.
import type { RunId, StoreUpkeep } from "@harness/spec";
import type { Source } from "../connection.js";
import type { Handle } from "../handle.js";
import type { Owners } from "../owners.js";
import type { Transaction } from "../transaction.js";
import { archiveRun } from "./archive-run.js";
import { compactStore } from "./compact.js";
import { deleteRun, sweepRuns } from "./remove-runs.js";
import { weighRun, weighStore } from "./weigh.js";

export interface UpkeepOptions {
  readonly source: Source;
  readonly busyTimeoutMs: number;
  readonly owners: Owners;
}

/** More rows than fit beside anything else, so that it has a transaction to itself. */
const rows = Number.POSITIVE_INFINITY;
const selectNow = "select cast(unixepoch('subsec') * 1000 as integer) as now";

export function upkeepOver(handle: Handle, options: UpkeepOptions): Omit<StoreUpkeep, "check"> {
  const { look, write, during, wakeAll } = handle;
  const { source, owners } = options;

  /** Whoever follows what is gone hears of it. */
  async function removing<Value>(attempt: string, work: (tx: Transaction) => Value, run?: RunId): Promise<Value> {
    const removed = await write({ attempt, rows, work, ...(run === undefined ? {} : { run }) });
    wakeAll();
    return removed;
  }

  return {
    size: (run) =>
      run === undefined
        ? look("weigh the store", (connection) => weighStore(connection, source))
        : look(`weigh run ${run}`, (connection) => {
            const { now } = connection.statement(selectNow).get() as { readonly now: number };
            return weighRun(connection, run, now);
          }),
    delete: (run) => removing(`delete run ${run}`, (tx) => deleteRun(tx, owners, run), run),
    sweep: (before) => removing("sweep the store", (tx) => sweepRuns(tx, owners, before)),
    archive: (run) => write({ attempt: `archive run ${run}`, run, rows, work: (tx) => archiveRun(tx, owners, run) }),
    compact: () => during(() => compactStore({ ...options, look })),
  };
}
