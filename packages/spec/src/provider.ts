// The port to a model. A provider asks once and reports what happened: it neither retries nor sleeps, and it never throws
// anything but `ProviderError` and `ConfigError`.
import type { CallId } from "./ids.js";
import type { Image } from "./images.js";
import type { JsonObject, JsonSchema } from "./json.js";

/** An address that a provider may dial. The net policy must allow every one of them before the first step. */
export interface Endpoint {
  /** `host:port`. */
  readonly target: string;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ToolCall {
  /** The call's position in the run. Providers that ask for an id of their own shape derive it from this. */
  readonly id: CallId;
  readonly name: string;
  /** `null` when what the model wrote is not a JSON object; it is then in `invalidArguments`. */
  readonly arguments: JsonObject | null;
  readonly invalidArguments?: string;
  /** The vendor's id, replayed to the vendor that made it. */
  readonly vendorId?: string;
}

/** A call as a model asks for it, before it has a position. */
export type ProposedCall = Omit<ToolCall, "id">;

/** Something only the model that made it can read, such as signed reasoning. Replayed byte for byte, to that model alone. */
export interface Continuation {
  readonly provider: string;
  readonly model: string;
  readonly data: JsonObject;
}

export interface CallResult {
  readonly call: CallId;
  readonly content: string;
  readonly isError?: boolean;
}

/** How much a model is asked to think. An ask: `usage.reasoningTokens` shows whether it had an effect. */
export type Effort = "low" | "medium" | "high";

export type Message =
  | { readonly role: "user"; readonly text: string; readonly images?: readonly Image[] }
  | {
      readonly role: "assistant";
      readonly text: string | null;
      readonly calls: readonly ToolCall[];
      readonly continuation?: Continuation;
    }
  | { readonly role: "results"; readonly results: readonly CallResult[] };

export interface CompletionRequest {
  readonly system: string;
  /** Every call of an assistant message is answered by exactly one result, in the message after it. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Absent: the provider's own choice. */
  readonly model?: string;
  readonly maxOutputTokens?: number;
  readonly effort?: Effort;
  /** The answer's text must be JSON that fits this schema. A provider without that ability refuses with `ConfigError`. */
  readonly output?: JsonSchema;
  /** How many leading messages have the same bytes as in the request before this one. */
  readonly cacheThrough?: number;
}

/** Counts as the vendor reports them; cache reads and writes are parts of `promptTokens`, reasoning of `completionTokens`. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
}

/** `pause`: the vendor handed control back in the middle of its own work; it is not an answer. */
export type StopReason = "end" | "tool-calls" | "length" | "content-filter" | "pause" | "other";

export interface Completion {
  /** `null` when the model wrote none. Never `""` for that. */
  readonly text: string | null;
  readonly calls: readonly ProposedCall[];
  readonly reasoning: string | null;
  /** `null` when the vendor said nothing, which is not zero. */
  readonly usage: Usage | null;
  /** What answered, not what was asked for; `null` if unknown. */
  readonly model: string | null;
  readonly stop: StopReason;
  /** The vendor's word for it, verbatim. */
  readonly finishReason: string | null;
  /** Time to the first content in ms; `null` if not measured. */
  readonly ttftMs: number | null;
  readonly continuation?: Continuation;
  /** The provider that answered, where several stand behind one name. */
  readonly servedBy?: string;
  /** Those that were asked before it and failed, in order. */
  readonly failedLinks?: readonly FailedLink[];
  readonly requestId?: string;
}

export interface FailedLink {
  readonly provider: string;
  readonly kind: ProviderFailure;
  readonly status?: number;
  readonly vendorCode?: string;
  /** The model it was asked for, which is what `usage` is priced by. */
  readonly model?: string;
  /** Billed all the same. */
  readonly usage?: Usage;
  readonly message: string;
}

/** Live and provisional: void unless the completion arrives. Text deltas concatenate to exactly its `text`. */
export type Delta =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** Another model takes over: forget what was shown of this completion. */
  | { readonly type: "reset" };

export type ProviderFailure =
  | "transport"
  | "timeout"
  | "rate-limited"
  | "server"
  | "malformed"
  | "quota"
  | "context-overflow"
  | "auth"
  | "request"
  | "cancelled";

export interface ModelInfo {
  readonly id: string;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
}

export interface Provider {
  readonly spec: 1;
  /** Label in the trace. */
  readonly name: string;
  /** Everything it may dial; empty for one that dials nothing. */
  readonly endpoints: readonly Endpoint[];
  /** The model used when a request names none. */
  readonly model?: string;
  /** Whether images may be in a request. Default false: a run with images is refused before anything is sent. */
  readonly acceptsImages?: boolean;
  /**
   * Asks once. Safe to call concurrently. Rejects with `ProviderError`; with kind `cancelled` only when `signal` fired.
   * Nothing of the request may be kept or changed after it settles.
   */
  complete(
    request: CompletionRequest,
    options: { readonly signal: AbortSignal; readonly onDelta?: (delta: Delta) => void },
  ): Promise<Completion>;
  /** What can be asked for. Absent or empty: no catalogue. */
  models?(): Promise<readonly ModelInfo[]>;
}
