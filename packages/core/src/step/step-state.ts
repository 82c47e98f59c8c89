// The open step: its completion, the attempts at it, and what it concluded. Steps are counted from 1.
import type { EventOf, ProviderFailure, RunEvent, StopReason } from "@harness/spec";

export interface StepState {
  /** The open or the last step; 0 before the first. */
  readonly number: number;
  readonly isOpen: boolean;
  /** Steps finished. */
  readonly finished: number;
  /** Attempts that failed since the step began, or since a pause gave it new ones. */
  readonly failures: number;
  /** A completion is being asked for. */
  readonly isAsking: boolean;
  /** The last attempt's failure, until the next one starts. */
  readonly failure: CompletionFailure | undefined;
  readonly reply: Reply | undefined;
  /** Where the last two completions stand in the log: what was paid for. */
  readonly paid: readonly [before: number, last: number];
  readonly ends: EventOf<"step.finished">["ends"];
}

export interface CompletionFailure {
  readonly kind: ProviderFailure;
  readonly isRetryable: boolean;
  /** Epoch ms of the next attempt, `null` for none. */
  readonly retryAt: number | null;
  readonly message: string;
}

export interface Reply {
  readonly stop: StopReason;
  readonly text: string | null;
  readonly calls: number;
}

export const noStep: StepState = {
  number: 0,
  isOpen: false,
  finished: 0,
  failures: 0,
  isAsking: false,
  failure: undefined,
  reply: undefined,
  paid: [0, 0],
  ends: null,
};

/** An answer: the model has nothing more to do. A vendor's pause in the middle of its own work is not one. */
export function isAnswer(reply: Reply): boolean {
  return reply.calls === 0 && reply.stop !== "pause";
}

export function evolveStep(step: StepState, event: RunEvent): StepState {
  switch (event.type) {
    case "step.started":
      return changed(noStep, { number: event.step, isOpen: true, finished: step.finished, paid: step.paid });
    case "completion.started":
      return changed(step, { isAsking: true, failure: undefined });
    case "completion.failed": {
      const failures = step.failures + (event.kind === "cancelled" ? 0 : 1);
      return changed(step, { isAsking: false, failures, failure: failed(event) });
    }
    case "completion.finished": {
      const reply = { stop: event.stop, text: event.content?.text ?? null, calls: event.calls.length };
      return changed(step, { isAsking: false, reply, paid: [step.paid[1], event.seq] });
    }
    case "step.finished":
      return changed(step, { isOpen: false, finished: step.finished + 1, ends: event.ends });
    case "run.paused": {
      // A pause that a failure caused is over with the pause: the resume has all its attempts again.
      const isNew = event.pause.type === "failed" || event.pause.type === "cancelled";
      return isNew ? changed(step, { failures: 0, failure: undefined }) : step;
    }
    case "run.resumed": {
      const failure = step.failure?.kind === "cancelled" ? undefined : step.failure;
      return changed(step, { isAsking: false, failure, ends: step.ends?.type === "budget" ? null : step.ends });
    }
    default:
      return step;
  }
}

/** Written out, because this is done for most events and a spread is dear. Only `failure` may be changed to nothing. */
function changed(step: StepState, changes: Partial<StepState>): StepState {
  return {
    number: changes.number ?? step.number,
    isOpen: changes.isOpen ?? step.isOpen,
    finished: changes.finished ?? step.finished,
    failures: changes.failures ?? step.failures,
    isAsking: changes.isAsking ?? step.isAsking,
    failure: "failure" in changes ? changes.failure : step.failure,
    reply: changes.reply ?? step.reply,
    paid: changes.paid ?? step.paid,
    ends: changes.ends === undefined ? step.ends : changes.ends,
  };
}

function failed(event: EventOf<"completion.failed">): CompletionFailure {
  const { kind, isRetryable, retryInMs, at } = event;
  const retryAt = retryInMs === null ? null : at + retryInMs;
  return { kind, isRetryable, retryAt, message: event.content?.message ?? "" };
}
