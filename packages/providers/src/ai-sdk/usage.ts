// Counts as each version of the specification tells them, in one meaning. `v2` has one number for each; later versions have groups.
import type { Usage } from "@harness/spec";
import { countOf, isFields } from "../payload/fields.js";

/** `null` when nothing was counted, which is not zero. */
export function usageFrom(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const { inputTokens: input, outputTokens: output } = value;
  const [read, written] = isFields(input) || isFields(output) ? [groupOf(input), groupOf(output)] : [{}, {}];
  const promptTokens = countOf(read.total) ?? countOf(input);
  const completionTokens = countOf(written.total) ?? countOf(output);
  const totalTokens = countOf(value.totalTokens);
  if ((promptTokens ?? completionTokens ?? totalTokens) === undefined) return null;
  return {
    promptTokens: promptTokens ?? 0,
    completionTokens: completionTokens ?? 0,
    totalTokens: totalTokens ?? (promptTokens ?? 0) + (completionTokens ?? 0),
    cacheReadTokens: countOf(read.cacheRead) ?? countOf(value.cachedInputTokens) ?? 0,
    cacheWriteTokens: countOf(read.cacheWrite) ?? 0,
    reasoningTokens: countOf(written.reasoning) ?? countOf(value.reasoningTokens) ?? 0,
  };
}

function groupOf(value: unknown): Readonly<Record<string, unknown>> {
  return isFields(value) ? value : {};
}
