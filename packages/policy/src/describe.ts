// A policy in words, for the system prompt. Patterns are listed by what the evaluator says of them, not by the effect they
// were written with: an allow beneath a deny is listed as refused, or the model would be told something untrue.
import type { ActType, Effect, PolicyData, Verdict } from "@harness/spec";
import { explain, judge } from "./explain.js";
import { hostAndPort } from "./hosts.js";
import { exactView } from "./paths.js";
import { patternText } from "./patterns.js";
import { actTypes, effects } from "./vocabulary.js";

export interface DescribeOptions {
  /** Most patterns listed for each act; the rest are counted. Default 24. */
  readonly maxPatterns?: number;
}

const words: Readonly<Record<Effect, string>> = { allow: "allowed", ask: "needs approval", deny: "refused" };

/** One line for each act: its default, then its patterns in declared order, grouped by their verdict. */
export function describePolicy(policy: PolicyData, options: DescribeOptions = {}): string {
  const { maxPatterns = 24 } = options;
  return actTypes.map((act) => describeAct(policy, act, maxPatterns)).join("\n");
}

function describeAct(policy: PolicyData, act: ActType, maxPatterns: number): string {
  const rules = policy.layers.flatMap((layer) => layer.rules).filter((rule) => rule.act === act);
  const patterns = [...new Set(rules.map((rule) => rule.pattern))];
  const listed = patterns
    .slice(0, maxPatterns)
    .map((pattern) => ({ pattern, verdict: verdictOn(policy, act, pattern) }));
  const groups = effects.flatMap((effect) => {
    const members = listed.filter(({ verdict }) => verdict.effect === effect);
    return members.length === 0 ? [] : [`${words[effect]}: ${members.map(shown).join(", ")}`];
  });
  const unlisted = patterns.length - listed.length;
  const rest = unlisted === 0 ? [] : [`${unlisted} more ${unlisted === 1 ? "rule is" : "rules are"} not listed`];
  return `- ${[`${act}: ${words[policy.defaults[act]]} by default`, ...groups, ...rest].join("; ")}.`;
}

function shown({ pattern, verdict }: { readonly pattern: string; readonly verdict: Verdict }): string {
  // Quoted, so that a pattern with a line break stays inside its line.
  const quoted = JSON.stringify(pattern);
  if (verdict.effect !== "deny") return quoted;
  return verdict.layer === undefined ? `${quoted} (by default)` : `${quoted} (layer ${JSON.stringify(verdict.layer)})`;
}

/** The evaluator's answer for the pattern's own text as a target; a command is split at its spaces, as the model would give it. */
function verdictOn(policy: PolicyData, act: ActType, pattern: string): Verdict {
  if (act === "exec") {
    const argv = pattern.split(" ");
    return explain(policy, { type: act, target: argv[0] ?? "", argv });
  }
  if (act !== "net") return explain(policy, { type: act, target: pattern });
  const text = patternText(act, pattern, exactView);
  return judge(policy, act, text, hostAndPort(text).host);
}
