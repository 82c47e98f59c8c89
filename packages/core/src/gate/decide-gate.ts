// When the gate is asked, and what its answer ends. It is asked after every step, the ones that only read included.
import type { EventOf } from "@harness/spec";
import { type Conclusion, conclude } from "../events/next.js";
import { pauseEvent } from "../outcome/pause.js";
import type { GateState } from "./gate-state.js";

export type GateNext = Conclusion | { readonly type: "gate"; readonly attempt: number } | { readonly type: "wait" };

export interface GatedStep {
  readonly number: number;
  readonly finished: number;
  readonly changed: boolean;
}

export function decideGate(gate: GateState, step: GatedStep): GateNext {
  if (gate.isRunning) return { type: "wait" };
  const { verdict } = gate;
  if (!verdict) return { type: "gate", attempt: gate.attempts + 1 };
  switch (verdict.result) {
    case "passed":
      return finished(step, { type: "success" });
    case "failed":
      return finished(step, null);
    case "errored": {
      const error = { code: "gate-errored", message: verdict.detail };
      return conclude(pauseEvent(step.number, step.finished, { type: "failed", error, isRetryable: false }));
    }
    default:
      return verdict.result satisfies never;
  }
}

function finished(step: GatedStep, ends: EventOf<"step.finished">["ends"]): Conclusion {
  return conclude({ type: "step.finished", step: step.number, changed: step.changed, ends });
}
