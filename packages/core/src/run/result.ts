// What a caller gets: why the run stopped, and what it left.
import type { FileChange, Rule, RunId, RunOutcome } from "@harness/spec";
import { items } from "../events/vector.js";
import type { RunState } from "../loop/state.js";
import type { Spend } from "../outcome/spend.js";

export interface RunResult {
  readonly runId: RunId;
  readonly outcome: RunOutcome;
  /** The last text the model wrote, `null` if it wrote none. */
  readonly text: string | null;
  readonly usage: Spend;
  /** One per path, from what it was before the run to what it is; paths that ended as they began are left out. */
  readonly changes: readonly FileChange[];
  readonly refusals: number;
  /** Rules that approvers wanted remembered, for the caller to keep. */
  readonly remembered: readonly Rule[];
}

export function resultOf(state: RunState, outcome: RunOutcome): RunResult {
  const { id: runId, transcript, spend: usage, marks } = state;
  const { refusals, remembered } = marks;
  return {
    runId,
    outcome,
    text: transcript.lastText,
    usage,
    changes: netChanges(items(state.files.changes)),
    refusals,
    remembered,
  };
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
