// Why a run stopped. `success` alone says that the gate passed.
import type { CallId, PlanId, QuestionId, RequestId } from "./ids.js";
import type { UnpricedReason } from "./pricing.js";

export type BudgetLimit = "steps" | "time" | "tokens" | "cost" | "tree";

/** An error as data: what `failed` carries, and what a log can hold. */
export interface ErrorData {
  readonly code: string;
  /** The class's own subdivision: a provider's or a store's `kind`. */
  readonly kind?: string;
  readonly message: string;
}

/** What a budget of money could not count. */
export interface Unpriced {
  readonly why: UnpricedReason;
  /** The model that answered, `null` where nobody said. */
  readonly model: string | null;
}

/** Pauses leave the step open; a resume goes on from there. */
export type Pause =
  /** `unpriced`: what is spent is not known, so that it stays within the money cannot be promised. */
  | { readonly type: "budget"; readonly limit: BudgetLimit; readonly unpriced?: Unpriced }
  | { readonly type: "cancelled"; readonly reason?: string }
  | { readonly type: "failed"; readonly error: ErrorData; readonly isRetryable: boolean }
  | { readonly type: "awaiting-approval"; readonly requestId: RequestId }
  | { readonly type: "awaiting-answer"; readonly questionId: QuestionId }
  | { readonly type: "awaiting-plan"; readonly planId: PlanId }
  | { readonly type: "awaiting-recovery"; readonly callId: CallId };

/** Endings are final: a resume reports them and does nothing. */
export type Ending =
  /** The gate passed. */
  | { readonly type: "success" }
  /** There was no gate and the model answered. Claims nothing about correctness. */
  | { readonly type: "finished" }
  /** The run kept repeating itself after being told so. */
  | { readonly type: "stalled" }
  /** A person said no, for good. */
  | { readonly type: "denied" }
  /** The run needs something that its policy denies, such as the provider's own host. */
  | { readonly type: "refused"; readonly target: string }
  | { readonly type: "plan-rejected" };

/** `steps` counts finished steps. */
export type RunOutcome = { readonly steps: number } & (Ending | Pause);

const endings: ReadonlySet<string> = new Set([
  "success",
  "finished",
  "stalled",
  "denied",
  "refused",
  "plan-rejected",
] satisfies Ending["type"][]);

/** True when a resume would do nothing but report it. */
export function isEnding(outcome: RunOutcome): outcome is { readonly steps: number } & Ending {
  return endings.has(outcome.type);
}
