// Who is asked when the policy says `ask`, and what may be answered: the same words in process and from another one.
import type { CallId, PlanId, QuestionId, RequestId, RunId } from "./ids.js";
import type { JsonObject } from "./json.js";
import type { JudgedAct, Rule } from "./policy.js";

export type Decision =
  /** `input` replaces the call's arguments: they are parsed and planned again and may not cross a deny. `remember` holds from the next step. */
  | { readonly type: "approve"; readonly input?: JsonObject; readonly remember?: readonly Rule[] }
  /** The model is told `reason` and goes on; with `final` the run ends as `denied`. */
  | { readonly type: "deny"; readonly reason: string; readonly final?: boolean }
  /** Not now: the run pauses, and any process may answer later. `reason` is for the trace. */
  | { readonly type: "defer"; readonly reason?: string };

export interface ApprovalRequest {
  readonly id: RequestId;
  readonly runId: RunId;
  readonly call: CallId;
  readonly goal: string;
  /** Absolute, resolved: what the targets of reads and writes are relative to. */
  readonly workspace: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** Everything that the call would do; those with effect `ask` are what is being asked about. */
  readonly acts: readonly JudgedAct[];
}

/** May be called concurrently. `signal` fires when the answer is no longer wanted; a later one is ignored. */
export interface Approver {
  /** The model that decides. A run that is driven by the same one is not started: it would approve its own calls. Absent for none. */
  readonly model?: string;
  decide(request: ApprovalRequest, options: { readonly signal: AbortSignal }): Promise<Decision>;
}

/** What to do about a call of which nobody knows whether it took effect. */
export type RecoveryDecision =
  | { readonly type: "retry" }
  /** It did: `observation` is what the model reads as its result. */
  | { readonly type: "completed"; readonly observation: string }
  /** End the run as `denied`. */
  | { readonly type: "abort" };

export interface Question {
  readonly question: string;
  readonly context?: string;
  /** Suggestions; any text is an answer. */
  readonly choices: readonly string[];
}

export interface PlanStep {
  readonly intent: string;
  readonly agent?: string;
}

export type PlanVerdict =
  | { readonly type: "approve" }
  | { readonly type: "revise"; readonly correction: string }
  | { readonly type: "cancel" };

/** `null`: nobody here can answer; the run pauses. */
export interface Responder {
  answer(question: Question, options: { readonly signal: AbortSignal }): Promise<string | null>;
}

/** `null`: nobody here can judge; the run pauses. */
export interface PlanGate {
  review(plan: readonly PlanStep[], options: { readonly signal: AbortSignal }): Promise<PlanVerdict | null>;
}

/** An answer to something that a run waits for, left in the store by any process. It counts once the driver has recorded it. */
export type Answer =
  | {
      readonly type: "approval";
      readonly request: RequestId;
      readonly by: string;
      readonly decision: Exclude<Decision, { type: "defer" }>;
    }
  | { readonly type: "question"; readonly request: QuestionId; readonly by: string; readonly text: string }
  | { readonly type: "plan"; readonly request: PlanId; readonly by: string; readonly verdict: PlanVerdict }
  | {
      readonly type: "recovery";
      readonly request: RequestId;
      readonly by: string;
      readonly decision: RecoveryDecision;
    };
