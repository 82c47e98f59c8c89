// What a run has used, summed from its completions: a step cut short has been paid for too.
import type { EventOf, Usage } from "@harness/spec";

export interface Spend extends Usage {
  /** Completions of which the vendor reported nothing, or not all; what is missing is estimated from their length. */
  readonly estimatedCompletions: number;
}

export const noSpend: Spend = {
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  estimatedCompletions: 0,
};

/** `spend` with one more completion. */
export function addUsage(spend: Spend, usage: Usage): Spend {
  return {
    promptTokens: spend.promptTokens + usage.promptTokens,
    completionTokens: spend.completionTokens + usage.completionTokens,
    totalTokens: spend.totalTokens + usage.totalTokens,
    cacheReadTokens: spend.cacheReadTokens + usage.cacheReadTokens,
    cacheWriteTokens: spend.cacheWriteTokens + usage.cacheWriteTokens,
    reasoningTokens: spend.reasoningTokens + usage.reasoningTokens,
    estimatedCompletions: spend.estimatedCompletions,
  };
}

/** `spend` with what `event` used: the links that failed before it, and the attempt itself, whatever came of it. */
export function addCompletion(
  spend: Spend,
  event: EventOf<"completion.finished" | "completion.failed">,
  promptChars: number,
): Spend {
  const links = event.failedLinks?.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), spend) ?? spend;
  if (event.usage) {
    const sum = addUsage(links, event.usage);
    const isEstimated = event.type === "completion.failed" && event.isEstimated === true;
    return isEstimated ? { ...sum, estimatedCompletions: sum.estimatedCompletions + 1 } : sum;
  }
  if (event.type === "completion.failed") return links;
  return addEstimate(links, promptChars, JSON.stringify(event.content ?? null).length);
}

/** `spend` with a completion of which only the lengths are known: four characters to a token. */
export function addEstimate(spend: Spend, promptChars: number, replyChars: number): Spend {
  const promptTokens = Math.ceil(promptChars / 4);
  const completionTokens = Math.ceil(replyChars / 4);
  const usage = { ...noSpend, promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  return { ...addUsage(spend, usage), estimatedCompletions: spend.estimatedCompletions + 1 };
}

/**
 * What a vendor sent as usage, or `null` when that is nothing to count with: unknown is not zero, and totals never become
 * `NaN`. Parts that are no counts are taken as 0.
 */
export function readUsage(usage: Usage | null | undefined): Usage | null {
  if (!usage || !(isCount(usage.promptTokens) || isCount(usage.completionTokens))) return null;
  const promptTokens = countOf(usage.promptTokens);
  const completionTokens = countOf(usage.completionTokens);
  return {
    promptTokens,
    completionTokens,
    totalTokens: countOf(usage.totalTokens) || promptTokens + completionTokens,
    cacheReadTokens: countOf(usage.cacheReadTokens),
    cacheWriteTokens: countOf(usage.cacheWriteTokens),
    reasoningTokens: countOf(usage.reasoningTokens),
  };
}

/** What is larger than a number can hold exactly is no count: a sum of such would not stay finite. */
function isCount(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function countOf(value: unknown): number {
  return isCount(value) ? Math.round(value as number) : 0;
}
