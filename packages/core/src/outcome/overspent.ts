// Whether a run has spent more than it may. Asked when a step ends, between two steps, and before a failed completion is asked
// for again: nothing is known of a completion beforehand, so what crosses a limit is paid for, and nothing after it.
import type { Limits, Pause, Pricing } from "@harness/spec";
import type { CostState } from "./cost.js";

export type BudgetPause = Extract<Pause, { type: "budget" }>;

/** The budget that is used up, tokens before money; `undefined` while there is enough of both. */
export function overspent(
  limits: Limits,
  tokens: number,
  cost: CostState,
  pricing: Pricing | undefined,
): BudgetPause | undefined {
  const { maxTokens, maxCostMicros } = limits;
  if (maxTokens !== undefined && tokens > maxTokens) return { type: "budget", limit: "tokens" };
  if (maxCostMicros === undefined) return undefined;
  if (cost.micros > maxCostMicros) return { type: "budget", limit: "cost" };
  // A sum with a hole in it stays within no limit.
  if (cost.firstUnpriced && pricing?.unpriced !== "allow") {
    return { type: "budget", limit: "cost", unpriced: cost.firstUnpriced };
  }
  return undefined;
}
