// Where vendors of the Chat API want a request put differently. Data only: the encoder asks for a quirk and never for a vendor's
// name. What they answer needs no such record, because one decoder reads them all.

/** How one vendor's requests differ from the plain ones. Every field has a default that suits most. */
export interface Quirks {
  /** What `maxOutputTokens` is sent as. Default `max_tokens`. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** `false` sends no `stream_options`, for vendors that reject it or count unasked. Default `true`. */
  readonly streamUsage?: boolean;
  /**
   * `minted9`: calls always have our ids of nine letters and digits. Default `vendor`: those of the vendor where its reasoning is
   * sent back, which may refer to them, and ours elsewhere.
   */
  readonly callIds?: "vendor" | "minted9";
  /** What stands for the text of an assistant message that only calls. Default `null`. */
  readonly nullContent?: null | "";
  /** Puts a short assistant message between tool results and a user message. Default `false`. */
  readonly assistantAfterTool?: boolean;
  /** Joins user messages that follow each other, for models that insist on alternation. Default `false`. */
  readonly mergeUsers?: boolean;
  /**
   * What of a model's reasoning goes back to it. `tool-turns`: `reasoning_content`, with messages that call. `details`:
   * `reasoning_details`, with every message that came with them. Default `never`.
   */
  readonly reasoningReplay?: "never" | "tool-turns" | "details";
  /** The key that asks for effort; `none` sends none. Default `reasoning_effort`. */
  readonly effort?: "reasoning_effort" | "reasoning" | "enable_thinking" | "none";
  /** Sends an empty `tools` when the conversation has calls and nothing is offered. Default `false`. */
  readonly toolsWithHistory?: boolean;
  /** Whether there is a catalogue at `/models`. Default `true`. */
  readonly modelsEndpoint?: boolean;
  /** Whether an answer can be held to a JSON schema; `strict` also where the vendor may be told to be strict. Default `plain`. */
  readonly outputSchema?: "none" | "plain" | "strict";
  /** Whether the ends of what stays the same are marked for the vendor's cache. Default `false`. */
  readonly cacheMarks?: boolean;
  /** Whether tools can be offered. Default `true`. */
  readonly tools?: boolean;
  /** Whether any model of it reads images. Default `true`. */
  readonly images?: boolean;
}

const plain: Required<Quirks> = {
  maxTokensField: "max_tokens",
  streamUsage: true,
  callIds: "vendor",
  nullContent: null,
  assistantAfterTool: false,
  mergeUsers: false,
  reasoningReplay: "never",
  effort: "reasoning_effort",
  toolsWithHistory: false,
  modelsEndpoint: true,
  outputSchema: "plain",
  cacheMarks: false,
  tools: true,
  images: true,
};

/** `quirks` with the defaults for what it leaves out. */
export function allQuirks(quirks: Quirks = {}): Required<Quirks> {
  return { ...plain, ...quirks };
}
