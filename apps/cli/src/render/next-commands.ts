// The commands that continue a run, by what it waits for.
import { type Answer, isEnding, type Limits, type RunOutcome } from "@harness/spec";

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
      return answerFlags("approval");
    case "awaiting-answer":
      return [["--answer", "the answer"]];
    case "awaiting-plan":
      return answerFlags("plan");
    case "awaiting-recovery":
      return answerFlags("recovery");
    default:
      return [[]];
  }
}

/** One list of arguments for each way to answer a request; without `request`, for a run that waits for one of its kind. */
export function waysToAnswer({
  type,
  runId,
  request,
}: {
  readonly type: Answer["type"];
  readonly runId: string;
  readonly request?: string | undefined;
}): readonly (readonly string[])[] {
  const named = request === undefined ? [] : [request];
  return answerFlags(type).map((flags) => ["approvals", "answer", runId, ...named, ...flags]);
}

function answerFlags(type: Answer["type"]): readonly (readonly string[])[] {
  switch (type) {
    case "approval":
      return [["--approve"], ["--deny", "why not"]];
    case "question":
      return [["--text", "the answer"]];
    case "plan":
      return [
        ["--plan", "approve"],
        ["--plan", "revise", "--correction", "what to change"],
        ["--plan", "cancel"],
      ];
    case "recovery":
      return [
        ["--recover", "retry"],
        ["--recover", "completed", "--observation", "what it did"],
        ["--recover", "abort"],
      ];
    default:
      return type satisfies never;
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
