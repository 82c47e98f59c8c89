// Counts as this API reports them. What was read from the cache or written to it is not in `input_tokens`, and later reports
// are totals that supersede the earlier ones field by field.
import { isJsonObject, type JsonObject, type Usage } from "@harness/spec";

/** The last of each field that was reported. */
export interface Counts {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly thinking?: number;
}

export const noCounts: Counts = {};

/** A field that is absent, `null` or no count leaves the earlier one as it is. */
export function addCounts(counts: Counts, reported: unknown): Counts {
  if (!isJsonObject(reported)) return counts;
  const details = isJsonObject(reported.output_tokens_details) ? reported.output_tokens_details : {};
  return {
    ...counts,
    ...field("input", reported.input_tokens),
    ...field("output", reported.output_tokens),
    ...field("cacheRead", reported.cache_read_input_tokens),
    ...field("cacheWrite", reported.cache_creation_input_tokens),
    ...field("thinking", details.thinking_tokens),
  };
}

/** `null` when nothing was reported. */
export function usageOf(counts: Counts): Usage | null {
  if (Object.keys(counts).length === 0) return null;
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, thinking = 0 } = counts;
  const promptTokens = input + cacheRead + cacheWrite;
  return {
    promptTokens,
    completionTokens: output,
    totalTokens: promptTokens + output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    reasoningTokens: Math.min(thinking, output),
  };
}

function field(name: keyof Counts, value: JsonObject[string] | undefined): Counts {
  return typeof value === "number" && value >= 0 ? { [name]: value } : {};
}
