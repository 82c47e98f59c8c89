// What the open step needs next, before its calls and after them. The order of the checks at its end is the contract: a
// repetition is named before a budget, and a step that overspends and would pass its gate reports the budget.
import type { Limits } from "@harness/spec";
import { type Conclusion, conclude } from "../events/next.js";
import type { BudgetPause } from "../outcome/overspent.js";
import { pauseEvent } from "../outcome/pause.js";
import { type CallsState, hasChanged } from "../tools/call-state.js";
import type { Phase } from "./phase.js";
import { type StallState, stallSign } from "./stall.js";
import { isAnswer, type StepState } from "./step-state.js";

export type StepNext =
  | Conclusion
  | { readonly type: "complete" }
  /** Wait until `until` (epoch ms), then ask again. */
  | { readonly type: "backoff"; readonly until: number }
  | { readonly type: "wait" };

/** Until the step has its completion; `undefined` from then on. */
export function decideCompletion(step: StepState): StepNext | undefined {
  if (step.reply) return undefined;
  if (step.isAsking) return { type: "wait" };
  const { failure } = step;
  if (!failure) return { type: "complete" };
  if (failure.retryAt !== null) return { type: "backoff", until: failure.retryAt };
  const { kind, message, isRetryable } = failure;
  const error = { code: "provider-failed", kind, message };
  return conclude(pauseEvent(step.number, step.finished, { type: "failed", error, isRetryable }));
}

/** A completion that failed is not asked for again where what it cost has used up a budget. */
export function decideRetry(step: StepState, over: BudgetPause | undefined): Conclusion | undefined {
  const isRetry = !step.reply && !step.isAsking && typeof step.failure?.retryAt === "number";
  return over && isRetry ? conclude(pauseEvent(step.number, step.finished, over)) : undefined;
}

/**
 * A step that only repeats what the run has been told about ends it as soon as its completion shows that: nobody is asked about
 * a call that cannot change the outcome.
 */
export function decideHopeless(
  step: StepState,
  calls: CallsState,
  stall: StallState,
  limits: Limits,
): Conclusion | undefined {
  if (stall.replans < limits.maxReplans || calls.list.some(({ phase }) => phase !== "waiting")) return undefined;
  if (stall.sign) return finish(step, calls, { type: "stalled" });
  const why = stallSign(stall, stall.current, true, limits.stallWindow);
  return why && conclude({ type: "run.stalled", step: step.number, why });
}

/** Whether the step goes round in circles, and what is done about it. */
export function decideStall(
  step: StepState,
  calls: CallsState,
  stall: StallState,
  limits: Limits,
): Conclusion | undefined {
  if (stall.sign) {
    if (stall.replans >= limits.maxReplans) return finish(step, calls, { type: "stalled" });
    const text = calls.list.map(({ name }) => name).join(", ") || "answering without a call";
    return conclude({ type: "run.replanned", step: step.number, nth: stall.replans + 1, content: { text } });
  }
  if (stall.judged === step.number || !step.reply) return undefined;
  const why = stallSign(stall, stall.current, hasChanged(calls), limits.stallWindow);
  return why && conclude({ type: "run.stalled", step: step.number, why });
}

/** The end of a step whose calls are done, but for the gate. While a plan is made there is no work yet that could be finished. */
export function decideEnd(
  step: StepState,
  calls: CallsState,
  { contract, isPlanning }: Phase,
  over: BudgetPause | undefined,
): Conclusion | undefined {
  if (over) return finish(step, calls, over);
  if (isPlanning) return finish(step, calls, null);
  const answered = step.reply !== undefined && isAnswer(step.reply);
  if (contract.verify.type === "none") return finish(step, calls, answered ? { type: "finished" } : null);
  return undefined;
}

/** Between two steps: which budget is used up, or the next step. */
export function decideNextStep(
  step: StepState,
  limits: Limits,
  over: BudgetPause | undefined,
  elapsedMs: number,
): Conclusion {
  const pause = (budget: BudgetPause) => conclude(pauseEvent(step.number, step.finished, budget));
  if (over) return pause(over);
  if (limits.maxDurationMs !== undefined && elapsedMs > limits.maxDurationMs) {
    return pause({ type: "budget", limit: "time" });
  }
  if (step.number >= limits.maxSteps) return pause({ type: "budget", limit: "steps" });
  return conclude({ type: "step.started", step: step.number + 1 });
}

function finish(step: StepState, calls: CallsState, ends: StepState["ends"]): Conclusion {
  return conclude({ type: "step.finished", step: step.number, changed: hasChanged(calls), ends });
}
