// A run from its start to its end. What a resume may continue is a pause; `run.finished` is the last event of a log.
import type { Limits, TaskContract } from "../contract.js";
import type { Digest, RunId } from "../ids.js";
import type { BudgetLimit, Ending, Pause } from "../outcome.js";
import type { PolicyData } from "../policy.js";
import type { Pricing } from "../pricing.js";
import type { Backend, Containment, Enforcement } from "../sandbox.js";
import type { Recovery, ToolEffect } from "../tool.js";
import type { Event } from "./envelope.js";

/** A tool as it was offered. `recovery` is absent where the arguments decide. */
export interface OfferedTool {
  readonly name: string;
  readonly effect: ToolEffect;
  readonly recovery?: Recovery;
}

/** What a driver brings with it. */
export interface Driver {
  readonly provider: string;
  readonly policy: PolicyData;
  readonly limits: Limits;
  readonly tools: readonly OfferedTool[];
  readonly backend: Backend | null;
  readonly enforces: Enforcement | null;
  /** Absent without a sandbox. */
  readonly containment?: Containment;
  /** Absent where no prices were given. */
  readonly pricing?: Pricing;
}

export type RunStarted = Event<
  "run.started",
  Driver & {
    readonly run: RunId;
    readonly root: RunId;
    readonly parent: RunId | null;
    readonly workspace: string;
    /** Over the contract, the system prompt and the tools as the model is shown them. */
    readonly digests: { readonly contract: Digest; readonly system: Digest; readonly tools: Digest };
    /** What the embedder wants to find again, such as where its provider came from. Not read by the loop. */
    readonly labels: Readonly<Record<string, string>>;
  },
  { readonly contract: Omit<TaskContract, "workspace" | "limits">; readonly system: string }
>;

/** A new driver goes on. Holds from here; undoes no conclusion. */
export type RunResumed = Event<"run.resumed", Driver & { readonly labels: Readonly<Record<string, string>> }>;

/** The parts of a pause that are facts; the words are in `content`. */
export type PauseFacts =
  | Exclude<Pause, { type: "cancelled" | "failed" }>
  | { readonly type: "cancelled" }
  | { readonly type: "failed"; readonly code: string; readonly kind?: string; readonly isRetryable: boolean };

/** `content` is the reason of a cancellation, the message of a failure or why nobody here could answer, otherwise `null`. */
export type RunPaused = Event<
  "run.paused",
  { readonly pause: PauseFacts; readonly steps: number },
  { readonly message: string | null }
>;

export type RunFinished = Event<"run.finished", { readonly ending: Ending; readonly steps: number }>;

/** The caller's signal fired. Whatever is in flight is aborted. */
export type CancelRequested = Event<"cancel.requested", unknown, { readonly reason: string | null }>;

/** Something was not started because a budget could not cover it. */
export type BudgetRefused = Event<
  "budget.refused",
  { readonly limit: BudgetLimit; readonly wanted: number; readonly left: number }
>;

export type RunStalled = Event<"run.stalled", { readonly why: "no-change" | "repetition" | "cycle" }>;
/** The model was told to change course. `nth` counts from 1. */
export type RunReplanned = Event<"run.replanned", { readonly nth: number }, { readonly text: string }>;

/** Another run that has not ended works in the same workspace. */
export type WorkspaceShared = Event<"workspace.shared", { readonly with: RunId }>;

export type RunLevelEvent =
  | RunStarted
  | RunResumed
  | RunPaused
  | RunFinished
  | CancelRequested
  | BudgetRefused
  | RunStalled
  | RunReplanned
  | WorkspaceShared;
