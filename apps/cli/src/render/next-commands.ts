// The commands that continue a run, by what it waits for.
import { isEnding, type Limits, type RunOutcome } from "@harness/spec";

/** What the driver that had the run last brought with it, as far as that is known. */
export interface LastDriver {
  readonly limits: Limits | undefined;
  /** What to import for its provider; `undefined` where nobody recorded it. */
  readonly provider: string | undefined;
}

/** One list of arguments for each way to go on; none for a run that has ended. `outcome` is `undefined` for one that was cut short. */
export function waysOn(
  id: string,
  outcome: RunOutcome | undefined,
  { limits, provider }: LastDriver,
): readonly (readonly string[])[] {
  if (outcome && isEnding(outcome)) return [];
  const named = provider === undefined ? ["--provider", "<module>"] : [];
  return (outcome ? flagsFor(outcome, limits) : [[]]).map((flags) => ["resume", id, ...flags, ...named]);
}

function flagsFor(outcome: RunOutcome, limits: Limits | undefined): readonly (readonly string[])[] {
  switch (outcome.type) {
    case "budget":
      return [budgetFlags(outcome, limits)];
    case "awaiting-approval":
      return [["--approve"], ["--deny", "why not"]];
    case "awaiting-recovery":
      return [["--retry"], ["--completed", "what it did"], ["--abort"]];
    default:
      return [[]];
  }
}

/** Twice of what was used up. A run that is out of steps has taken as many as it may. */
function budgetFlags(
  { limit, steps, unpriced }: Extract<RunOutcome, { type: "budget" }>,
  limits: Limits | undefined,
): readonly string[] {
  if (limit === "steps") return ["--max-steps", String(2 * Math.max(1, limits?.maxSteps ?? steps))];
  if (unpriced) return unpriced.why === "no-price" ? ["--prices", "<prices.json>"] : ["--unpriced", "allow"];
  if (limit === "cost" && limits?.maxCostMicros !== undefined) {
    return ["--max-cost-micros", String(Math.max(1, limits.maxCostMicros * 2))];
  }
  if (limit === "tokens" && limits?.maxTokens) return ["--max-tokens", String(limits.maxTokens * 2)];
  if (limit === "time" && limits?.maxDurationMs) return ["--max-duration-ms", String(limits.maxDurationMs * 2)];
  return [];
}
