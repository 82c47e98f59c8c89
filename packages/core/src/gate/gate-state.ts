// The gate of the open step: whether it was asked, and what it said.
import type { EventOf, RunEvent } from "@harness/spec";

export interface GateState {
  /** Evaluations over the run. */
  readonly attempts: number;
  readonly isRunning: boolean;
  /** What it said of the open step. */
  readonly verdict: { readonly result: EventOf<"gate.finished">["result"]; readonly detail: string } | undefined;
}

export const noGate: GateState = { attempts: 0, isRunning: false, verdict: undefined };

export function evolveGate(gate: GateState, event: RunEvent): GateState {
  switch (event.type) {
    case "step.started":
      return gate.verdict ? { ...gate, verdict: undefined } : gate;
    case "gate.started":
      return { ...gate, isRunning: true };
    case "gate.finished":
      return {
        attempts: event.attempt,
        isRunning: false,
        verdict: { result: event.result, detail: event.content?.detail ?? "" },
      };
    case "run.paused":
    case "run.resumed":
      // A gate that could not run says nothing of the work: the next driver asks it again.
      return { ...gate, isRunning: false, verdict: gate.verdict?.result === "errored" ? undefined : gate.verdict };
    default:
      return gate;
  }
}
