// Why a run stopped, in a sentence, and read off the event that says so.
import type { EventOf, RunOutcome, Unpriced } from "@harness/spec";
import { printable } from "./printable.js";

const budgets = {
  steps: "it has used up its steps",
  time: "it has used up its time",
  tokens: "it has used up its tokens",
  cost: "it has used up its money",
  tree: "what it shares with other runs is used up",
} as const;

/** `success after 4 steps: the check passed`. */
export function outcomeText(outcome: RunOutcome): string {
  const { steps, type } = outcome;
  return `${type} after ${steps} ${steps === 1 ? "step" : "steps"}: ${reason(outcome)}`;
}

function reason(outcome: RunOutcome): string {
  switch (outcome.type) {
    case "success":
      return "the check passed";
    case "finished":
      return "the model had nothing more to do, and nothing was checked";
    case "budget":
      return outcome.unpriced ? unpricedText(outcome.unpriced) : budgets[outcome.limit];
    case "stalled":
      return "it kept repeating itself";
    case "denied":
      return "somebody said no, for good";
    case "refused":
      return `it needs ${printable(outcome.target)}, which its policy does not allow`;
    case "plan-rejected":
      return "its plan was not approved";
    case "cancelled":
      return printable(outcome.reason ?? "it was stopped");
    case "failed":
      return `${printable(outcome.error.message)}${outcome.isRetryable ? " (worth another try)" : ""}`;
    case "awaiting-approval":
      return "it asks for approval";
    case "awaiting-answer":
      return "it asks a question";
    case "awaiting-plan":
      return "it asks for approval of its plan";
    case "awaiting-recovery":
      return `somebody must say whether call ${outcome.callId} took effect`;
    default:
      return outcome satisfies never;
  }
}

function unpricedText({ why, model }: Unpriced): string {
  const name = model === null ? "a model" : printable(model);
  const what = {
    "no-price": `${name} answered, which its prices do not have`,
    "no-model": "something answered that did not say which model it is",
    "no-usage": `${name} answered and did not say what it used`,
  }[why];
  return `${what}, so what it spends cannot be counted`;
}

/** The outcome that a stop stands for. */
export function outcomeOf(event: EventOf<"run.paused" | "run.finished">): RunOutcome {
  const { steps } = event;
  if (event.type === "run.finished") return { steps, ...event.ending };
  const { pause } = event;
  const message = event.content?.message ?? null;
  switch (pause.type) {
    case "cancelled":
      return { steps, type: "cancelled", ...(message === null ? {} : { reason: message }) };
    case "failed": {
      const { code, kind, isRetryable } = pause;
      const error = { code, ...(kind === undefined ? {} : { kind }), message: message ?? code };
      return { steps, type: "failed", error, isRetryable };
    }
    default:
      return { steps, ...pause };
  }
}
