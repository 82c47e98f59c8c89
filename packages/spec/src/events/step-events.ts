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
    readonly usage: Usage | null;
  },
  { readonly message: string }
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
  },
  {
    readonly text: string | null;
    readonly reasoning: string | null;
    readonly calls: readonly { readonly arguments: JsonObject | null; readonly invalidArguments?: string }[];
    readonly continuation?: Continuation;
  }
>;

export type StepEvent = StepStarted | StepFinished | CompletionStarted | CompletionFailed | CompletionFinished;
