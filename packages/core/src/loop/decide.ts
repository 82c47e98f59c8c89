// What must happen now, from state alone. The list is the specified precedence, and the loop only walks it; each room answers
// for itself. Total: while something is in flight the answer is `wait`.
import type { RunOutcome } from "@harness/spec";
import { type Conclusion, conclude } from "../events/next.js";
import { decideGate, type GateNext } from "../gate/decide-gate.js";
import { overspent } from "../outcome/overspent.js";
import { pauseEvent } from "../outcome/pause.js";
import {
  decideCompletion,
  decideEnd,
  decideHopeless,
  decideNextStep,
  decideRetry,
  decideStall,
  type StepNext,
} from "../step/decide-step.js";
import { hasChanged } from "../tools/call-state.js";
import { type CallsNext, decideCalls } from "../tools/decide-calls.js";
import { factsOf, type RunState } from "./state.js";

export type Next =
  | { readonly type: "stop"; readonly outcome: RunOutcome }
  | Conclusion
  | StepNext
  | CallsNext
  | GateNext
  | { readonly type: "wait" };

type Reason = (state: RunState) => Next | undefined;

/** What holds whatever the run is doing. */
const always: readonly Reason[] = [stopped, refused, endedByPerson, concluded, cancelled];
/** An open step, from its completion to its end. A repetition beats a budget, a budget beats the gate. */
const openStep: readonly Reason[] = [retry, completion, hopeless, calls, stall, end, gate];

export function decide(state: RunState): Next {
  for (const reason of always) {
    const next = reason(state);
    if (next) return next;
  }
  if (!state.step.isOpen) return nextStep(state);
  for (const reason of openStep) {
    const next = reason(state);
    if (next) return next;
  }
  return { type: "wait" };
}

function stopped({ status }: RunState): Next | undefined {
  if (status.type === "new") return { type: "wait" };
  return status.type === "running" ? undefined : { type: "stop", outcome: status.outcome };
}

function refused({ marks: { refusedTarget: target }, step }: RunState): Next | undefined {
  if (target === undefined) return undefined;
  return conclude({
    type: "run.finished",
    step: step.number,
    steps: step.finished,
    ending: { type: "refused", target },
  });
}

function endedByPerson({ calls: { ending }, step }: RunState): Next | undefined {
  if (!ending) return undefined;
  return conclude({ type: "run.finished", step: step.number, steps: step.finished, ending });
}

/** The step before has said how the run goes on; this is that, said to the run. */
function concluded({ step }: RunState): Next | undefined {
  if (step.isOpen || step.ends === null) return undefined;
  return step.ends.type === "budget"
    ? conclude(pauseEvent(step.number, step.finished, step.ends))
    : conclude({ type: "run.finished", step: step.number, steps: step.finished, ending: step.ends });
}

function cancelled({ marks, step, calls: { list }, gate: { isRunning } }: RunState): Next | undefined {
  if (!marks.cancelled) return undefined;
  if (step.isAsking || isRunning || list.some(({ phase }) => phase === "started")) return { type: "wait" };
  const { reason } = marks.cancelled;
  return conclude(
    pauseEvent(step.number, step.finished, { type: "cancelled", ...(reason === null ? {} : { reason }) }),
  );
}

function retry(state: RunState): Next | undefined {
  return state.step.failure && decideRetry(state.step, overBudget(state));
}

function completion({ step }: RunState): Next | undefined {
  return decideCompletion(step);
}

function hopeless(state: RunState): Next | undefined {
  return decideHopeless(state.step, state.calls, state.stall, factsOf(state).contract.limits);
}

function calls(state: RunState): Next | undefined {
  const { maxParallelReads } = factsOf(state).contract.limits;
  return decideCalls(state.calls, state.step.number, state.step.finished, maxParallelReads);
}

function stall(state: RunState): Next | undefined {
  return decideStall(state.step, state.calls, state.stall, factsOf(state).contract.limits);
}

function end(state: RunState): Next | undefined {
  const { contract } = factsOf(state);
  return decideEnd(state.step, state.calls, { contract, isPlanning: state.marks.isPlanning }, overBudget(state));
}

function gate({ gate: verdict, step: { number, finished }, calls }: RunState): Next {
  return decideGate(verdict, { number, finished, changed: hasChanged(calls) });
}

function nextStep(state: RunState): Next {
  const { contract, startedAt } = factsOf(state);
  return decideNextStep(state.step, contract.limits, overBudget(state), state.now - startedAt);
}

function overBudget(state: RunState) {
  const { contract, driver } = factsOf(state);
  return overspent(contract.limits, state.spend.totalTokens, state.cost, driver.pricing);
}
