// What a caller gets: why the run stopped, and what it left.
import type { FileChange, PriceTable, Rule, RunId, RunOutcome } from "@harness/spec";
import { items } from "../events/vector.js";
import type { RunState } from "../loop/state.js";
import type { Spend } from "../outcome/spend.js";

export interface RunResult {
  readonly runId: RunId;
  readonly outcome: RunOutcome;
  /** The last text the model wrote, `null` if it wrote none. */
  readonly text: string | null;
  readonly usage: Spend;
  /** `null` where no prices were given. */
  readonly cost: RunCost | null;
  /** One per path, from what it was before the run to what it is; paths that ended as they began are left out. */
  readonly changes: readonly FileChange[];
  readonly refusals: number;
  /** Rules that approvers wanted remembered, for the caller to keep. */
  readonly remembered: readonly Rule[];
}

/** What a run has cost by the prices it was last driven with. */
export interface RunCost extends Pick<PriceTable, "asOf" | "currency"> {
  /** Micro-units, without what is unpriced. */
  readonly micros: number;
  /** Bills without a price: what they cost is not known, which is not 0. */
  readonly unpriced: number;
}

export function resultOf(state: RunState, outcome: RunOutcome): RunResult {
  const { id: runId, transcript, spend: usage, marks } = state;
  const { refusals, remembered } = marks;
  return {
    runId,
    outcome,
    text: transcript.lastText,
    usage,
    cost: costOf(state),
    changes: netChanges(items(state.files.changes)),
    refusals,
    remembered,
  };
}

function costOf({ run, cost: { micros, unpriced } }: RunState): RunCost | null {
  if (!run?.driver.pricing) return null;
  const { asOf, currency } = run.driver.pricing.table;
  return { micros, unpriced, asOf, ...(currency === undefined ? {} : { currency }) };
}

function netChanges(changes: readonly FileChange[]): readonly FileChange[] {
  const byPath = new Map<string, FileChange>();
  for (const change of changes) {
    const first = byPath.get(change.path);
    byPath.set(change.path, first ? join(first, change) : change);
  }
  return [...byPath.values()].filter(({ before, after }) => before !== after);
}

function join(first: FileChange, then: FileChange): FileChange {
  const kind = first.before === null ? "created" : then.after === null ? "deleted" : "changed";
  return {
    path: first.path,
    kind,
    added: first.added + then.added,
    removed: first.removed + then.removed,
    before: first.before,
    after: then.after,
  };
}
