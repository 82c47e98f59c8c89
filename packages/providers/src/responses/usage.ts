// The counts of the Responses API in words of the port.
import type { Usage } from "@harness/spec";
import { countOf, type Fields, isFields } from "../payload/fields.js";

/** `null` when the vendor counted nothing. Cached tokens are in `input_tokens` and reasoning is in `output_tokens` already. */
export function responsesUsage(counts: unknown): Usage | null {
  if (!isFields(counts)) return null;
  const input = countOf(counts.input_tokens);
  const output = countOf(counts.output_tokens);
  const total = countOf(counts.total_tokens);
  if ((input ?? output ?? total) === undefined) return null;
  const promptTokens = input ?? 0;
  const written = output ?? 0;
  const totalTokens = total ?? promptTokens + written;
  const thought = detail(counts, "output_tokens_details", "reasoning_tokens");
  // One vendor leaves reasoning out of what was written, which only its total gives away.
  const isBeside = thought > 0 && totalTokens === promptTokens + written + thought;
  const completionTokens = isBeside ? written + thought : written;
  return {
    promptTokens,
    completionTokens,
    totalTokens,
    cacheReadTokens: detail(counts, "input_tokens_details", "cached_tokens"),
    cacheWriteTokens: detail(counts, "input_tokens_details", "cache_write_tokens"),
    reasoningTokens: Math.min(thought, completionTokens),
  };
}

function detail(counts: Fields, group: string, key: string): number {
  const details = counts[group];
  return isFields(details) ? (countOf(details[key]) ?? 0) : 0;
}
