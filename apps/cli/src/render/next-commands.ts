// The commands that continue a run, by what it waits for.
import { isEnding, type Limits, type RunOutcome } from "@harness/spec";

/** One list of arguments for each way to go on; none for a run that has ended. */
export function waysOn(id: string, outcome: RunOutcome, limits: Limits | undefined): readonly (readonly string[])[] {
  if (isEnding(outcome)) return [];
  return flagsFor(outcome, limits).map((flags) => ["resume", id, ...flags]);
}

function flagsFor(outcome: RunOutcome, limits: Limits | undefined): readonly (readonly string[])[] {
  switch (outcome.type) {
    case "budget":
      return [budgetFlags(outcome.limit, limits)];
    case "awaiting-approval":
      return [["--approve"], ["--deny", "why not"]];
    case "awaiting-recovery":
      return [["--retry"], ["--completed", "what it did"], ["--abort"]];
    default:
      return [[]];
  }
}

/** Twice of what was used up. */
function budgetFlags(limit: string, limits: Limits | undefined): readonly string[] {
  if (limit === "steps" && limits) return ["--max-steps", String(limits.maxSteps * 2)];
  if (limit === "tokens" && limits?.maxTokens) return ["--max-tokens", String(limits.maxTokens * 2)];
  if (limit === "time" && limits?.maxDurationMs) return ["--max-duration-ms", String(limits.maxDurationMs * 2)];
  return [];
}
