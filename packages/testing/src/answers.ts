// From the part of a completion that a script writes out to a whole one.
import type { Completion, JsonObject, ProposedCall, Usage } from "@harness/spec";

/** A call as a script writes it. `arguments` is `{}` when left out. */
export type ScriptedCall = Omit<ProposedCall, "arguments"> & { readonly arguments?: JsonObject | null };

/** A completion with what matters written out and the rest left to the provider's defaults. */
export type Answer = Partial<Omit<Completion, "calls" | "usage">> & {
  readonly calls?: readonly ScriptedCall[];
  /** What is left out is as by default, and `totalTokens` the sum of prompt and completion. `null`: the vendor said nothing. */
  readonly usage?: Partial<Usage> | null;
};

/** What an answer costs that does not say: 10 prompt tokens and 5 completion tokens, where `usage` says nothing else. */
export function defaultUsage(usage: Partial<Usage> = {}): Usage {
  return usageOf(usage, { promptTokens: 10, completionTokens: 5 });
}

/** Fills `answer` in. It stops for its calls where it has some. */
export function completionOf(answer: Answer, usage: Usage, model: string): Completion {
  const { calls = [], ...rest } = answer;
  return {
    text: null,
    reasoning: null,
    model,
    stop: calls.length > 0 ? "tool-calls" : "end",
    finishReason: null,
    ttftMs: null,
    ...rest,
    calls: calls.map(({ arguments: input = {}, ...call }) => ({ ...call, arguments: input })),
    usage: rest.usage ? usageOf(rest.usage, usage) : rest.usage === null ? null : usage,
  };
}

function usageOf(usage: Partial<Usage>, defaults: Pick<Usage, "promptTokens" | "completionTokens">): Usage {
  const { promptTokens, completionTokens } = { ...defaults, ...usage };
  return {
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    ...usage,
    promptTokens,
    completionTokens,
    totalTokens: usage.totalTokens ?? promptTokens + completionTokens,
  };
}
