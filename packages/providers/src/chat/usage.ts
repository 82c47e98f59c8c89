// What a vendor counted, in one meaning for all: cached tokens are part of the prompt, reasoning is part of the completion.
import type { Usage } from "@harness/spec";
import { countOf, type Fields, isFields } from "../payload/fields.js";

/** Whether anything was counted. An object of nulls says nothing, and nothing is not zero. */
export function isUsage(value: unknown): value is Fields {
  return (
    isFields(value) &&
    (countOf(value.prompt_tokens) ?? countOf(value.completion_tokens) ?? countOf(value.total_tokens)) !== undefined
  );
}

export function usageOf(counts: Fields): Usage {
  const promptTokens = countOf(counts.prompt_tokens) ?? 0;
  const written = countOf(counts.completion_tokens) ?? 0;
  const totalTokens = countOf(counts.total_tokens) ?? promptTokens + written;
  const thought = countOf(inside(counts, "completion_tokens_details", "reasoning_tokens")) ?? 0;
  // Some vendors leave reasoning out of the completion; their total gives it away.
  const isBeside = thought > 0 && totalTokens === promptTokens + written + thought;
  const completionTokens = isBeside ? written + thought : written;
  return {
    promptTokens,
    completionTokens,
    totalTokens,
    cacheReadTokens: firstCount([
      inside(counts, "prompt_tokens_details", "cached_tokens"),
      inside(counts, "prompt_token_details", "cached_tokens"),
      counts.prompt_cache_hit_tokens,
      counts.num_cached_tokens,
      counts.cached_tokens,
    ]),
    cacheWriteTokens: firstCount([
      inside(counts, "prompt_tokens_details", "cache_write_tokens"),
      counts.cache_write_tokens,
    ]),
    reasoningTokens: Math.min(thought, completionTokens),
  };
}

function inside(counts: Fields, group: string, key: string): unknown {
  const details = counts[group];
  return isFields(details) ? details[key] : undefined;
}

function firstCount(values: readonly unknown[]): number {
  return values.map(countOf).find((count) => count !== undefined) ?? 0;
}
