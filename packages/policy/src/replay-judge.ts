// One act of a trace under another policy: what was decided then beside what is said now. What differs is handed on and counted.
import { type Act, isHarnessError, type PolicyData, type Verdict } from "@harness/spec";
import { type ExplainOptions, explain } from "./explain.js";
import type { DecidedThen, DifferenceKind, PolicyDifference, SummaryRow } from "./replay-results.js";
import { rememberedLayer } from "./run-layers.js";

const kinds = { allow: "now-allowed", ask: "now-asked", deny: "now-refused" } as const;

/** `explain`, with a refusal where a target cannot be named at all: that is how the boundary takes it. */
export function verdictOn(policy: PolicyData, act: Act, options: ExplainOptions): Verdict {
  try {
    return explain(policy, act, options);
  } catch (error) {
    if (isHarnessError(error) && error.code === "act-refused") return { effect: "deny" };
    throw error;
  }
}

function kindOf(decided: DecidedThen, now: Verdict): DifferenceKind | undefined {
  if (decided.effect !== now.effect) return kinds[now.effect];
  return decided.rule === now.rule && decided.layer === now.layer ? undefined : "other-rule";
}

export interface ReplayJudge {
  readonly policy: PolicyData;
  readonly options: ExplainOptions;
  /** How many acts were judged. */
  readonly judged: number;
  /** `now` stands in where the policy is not asked as it is. */
  judge(at: Pick<PolicyDifference, "step" | "call">, act: Act, decided: DecidedThen, now?: Verdict): void;
  /** The most frequent first. */
  summary(): readonly SummaryRow[];
}

export function replayJudge(
  policy: PolicyData,
  options: ExplainOptions,
  onDifference: (difference: PolicyDifference) => void,
): ReplayJudge {
  const rows = new Map<string, SummaryRow>();
  let judged = 0;
  return {
    policy,
    options,
    get judged() {
      return judged;
    },
    judge({ step, call }, act, decided, now = verdictOn(policy, act, options)) {
      judged += 1;
      const kind = kindOf(decided, now);
      if (kind === undefined) return;
      const difference = { kind, step, call, act, decided, now, isRemembered: decided.layer === rememberedLayer };
      count(rows, difference);
      onDifference(difference);
    },
    summary: () => [...rows.values()].sort((a, b) => b.count - a.count),
  };
}

function count(rows: Map<string, SummaryRow>, { kind, act, now, isRemembered }: PolicyDifference): void {
  const { rule, layer } = now;
  const key = JSON.stringify([kind, act.type, rule, layer, isRemembered]);
  const by = rule === undefined || layer === undefined ? {} : { rule, layer };
  rows.set(key, { kind, act: act.type, ...by, isRemembered, count: (rows.get(key)?.count ?? 0) + 1 });
}
