// A step: one completion and the calls it asked for. The messages sent are never in the log; a digest of them is.
import type { Digest } from "../ids.js";
import type { JsonObject } from "../json.js";
import type { Ending, Pause } from "../outcome.js";
import type { Continuation, ProviderFailure, StopReason, Usage } from "../provider.js";
import type { Recovery, ToolEffect } from "../tool.js";
import type { Event } from "./envelope.js";

export type StepStarted = Event<"step.started">;

/** `ends`: what the step concluded for the run. The event behind it repeats it and may be missing after a crash. */
export type StepFinished = Event<
  "step.finished",
  { readonly changed: boolean; readonly ends: Ending | Extract<Pause, { type: "budget" }> | null }
>;

export type CompletionStarted = Event<
  "completion.started",
  {
    /** From 1 in each step. */
    readonly attempt: number;
    readonly model: string | null;
    /** How many messages, and a digest chained over them. */
    readonly messages: number;
    readonly digest: Digest;
    /** Tokens reserved from the tree's budget; 0 where there is none. */
    readonly reserved: number;
  }
>;

/** A provider that was asked before another took over. Its words are in `content.failedLinks`, at the same place. */
export interface LinkFailure {
  readonly provider: string;
  readonly kind: ProviderFailure;
  readonly status: number | null;
  readonly vendorCode: string | null;
  /** The model it was asked for. */
  readonly model: string | null;
  /** Billed all the same; `null` where the vendor said nothing. */
  readonly usage: Usage | null;
}

export type CompletionFailed = Event<
  "completion.failed",
  {
    readonly attempt: number;
    readonly kind: ProviderFailure;
    readonly isRetryable: boolean;
    readonly status: number | null;
    readonly vendorCode: string | null;
    /** How long until the next attempt, `null` for none. */
    readonly retryInMs: number | null;
    /** What it used before it failed: it was billed. `null` where it came to nothing that could be. */
    readonly usage: Usage | null;
    /** The vendor had not said all of `usage` yet; what is missing is taken from the length of what had come. */
    readonly isEstimated?: true;
    readonly failedLinks?: readonly LinkFailure[];
  },
  { readonly message: string; readonly failedLinks?: readonly string[] }
>;

/** A call as the log has it. Its position in the list is its index; its arguments are in `content.calls`. */
export interface RecordedCall {
  readonly name: string;
  readonly effect: ToolEffect;
  readonly recovery: Recovery;
  readonly vendorId?: string;
}

export type CompletionFinished = Event<
  "completion.finished",
  {
    readonly attempt: number;
    readonly model: string | null;
    readonly servedBy: string | null;
    readonly stop: StopReason;
    readonly finishReason: string | null;
    readonly usage: Usage | null;
    readonly ttftMs: number | null;
    readonly requestId: string | null;
    readonly calls: readonly RecordedCall[];
    /** Those that were asked before `servedBy` and failed, in order. */
    readonly failedLinks?: readonly LinkFailure[];
  },
  {
    readonly text: string | null;
    readonly reasoning: string | null;
    readonly calls: readonly { readonly arguments: JsonObject | null; readonly invalidArguments?: string }[];
    readonly continuation?: Continuation;
    readonly failedLinks?: readonly string[];
  }
>;

export type StepEvent = StepStarted | StepFinished | CompletionStarted | CompletionFailed | CompletionFinished;
