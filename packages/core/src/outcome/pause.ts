// A pause as the log has it and as a caller gets it. The log keeps words apart from facts; an outcome has both.
import type { EventOf, Pause, PauseFacts, RunOutcome } from "@harness/spec";

/** The event that records `pause`. `why` is for the trace: where the run waits for someone, why nobody here could answer. */
export function pauseEvent(step: number, steps: number, pause: Pause, why: string | null = null) {
  const { facts, message } = split(pause);
  return { type: "run.paused", step, pause: facts, steps, content: { message: message ?? why } } as const;
}

function split(pause: Pause): { facts: PauseFacts; message: string | null } {
  switch (pause.type) {
    case "cancelled":
      return { facts: { type: "cancelled" }, message: pause.reason ?? null };
    case "failed": {
      const { code, kind, message } = pause.error;
      return {
        facts: { type: "failed", code, ...(kind === undefined ? {} : { kind }), isRetryable: pause.isRetryable },
        message,
      };
    }
    default:
      return { facts: pause, message: null };
  }
}

/** The outcome that a recorded pause stands for. */
export function pauseOutcome(event: EventOf<"run.paused">): RunOutcome {
  return { steps: event.steps, ...join(event.pause, event.content?.message ?? null) };
}

function join(facts: PauseFacts, message: string | null): Pause {
  switch (facts.type) {
    case "cancelled":
      return message === null ? { type: "cancelled" } : { type: "cancelled", reason: message };
    case "failed": {
      const { code, kind, isRetryable } = facts;
      return {
        type: "failed",
        isRetryable,
        error: { code, ...(kind === undefined ? {} : { kind }), message: message ?? "" },
      };
    }
    default:
      return facts;
  }
}
