// What was said about a run rather than done in it: that it is to stop, that it may not start, that it has to be planned first,
// what people want remembered.
import type { Rule, RunEvent, RunId } from "@harness/spec";

export interface Marks {
  readonly cancelled: { readonly reason: string | null } | undefined;
  /** What the run needs and its policy denies. */
  readonly refusedTarget: string | undefined;
  readonly refusals: number;
  /** What the gate stands on and the agent may write, as last warned of. */
  readonly unprotected: readonly string[];
  /** The run in the same workspace that was last warned of. */
  readonly sharedWith: RunId | undefined;
  /** The contract wants a plan first, and none is approved yet. */
  readonly isPlanning: boolean;
  /** Rules that approvers wanted remembered. */
  readonly remembered: readonly Rule[];
  /** How many of them are in force: those of finished steps. */
  readonly inForce: number;
}

export const noMarks: Marks = {
  cancelled: undefined,
  refusedTarget: undefined,
  refusals: 0,
  unprotected: [],
  sharedWith: undefined,
  isPlanning: false,
  remembered: [],
  inForce: 0,
};

export function evolveMarks(marks: Marks, event: RunEvent): Marks {
  switch (event.type) {
    case "run.started":
      return event.content?.contract.plan ? { ...marks, isPlanning: true } : marks;
    case "plan.decided":
      return event.verdict === "approve" ? { ...marks, isPlanning: false } : marks;
    case "workspace.shared":
      return { ...marks, sharedWith: event.with };
    case "act.refused": {
      const refusedTarget = event.call === null ? event.target : marks.refusedTarget;
      return { ...marks, refusals: marks.refusals + 1, refusedTarget };
    }
    case "approval.decided":
      return event.remember.length === 0 ? marks : { ...marks, remembered: [...marks.remembered, ...event.remember] };
    case "step.finished":
      return marks.inForce === marks.remembered.length ? marks : { ...marks, inForce: marks.remembered.length };
    case "gate.unprotected":
      return { ...marks, unprotected: event.paths };
    case "cancel.requested":
      return { ...marks, cancelled: { reason: event.content?.reason ?? null } };
    case "run.resumed":
      return marks.cancelled ? { ...marks, cancelled: undefined } : marks;
    default:
      return marks;
  }
}
