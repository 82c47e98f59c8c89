// Rules made ready for matching, once per policy. `explain` runs on every tool call and on every path a walker visits, so
// patterns are brought to form and compiled on first use and kept beside the policy object. What is kept is matchers,
// never verdicts, and it is gone with the policy.
import type { ActType, Effect, PolicyData } from "@harness/spec";
import { glob, type Matcher } from "./glob.js";
import { type View, views } from "./paths.js";
import { assertWord, patternText } from "./patterns.js";
import { actTypes, effects } from "./vocabulary.js";

interface ReadyRule {
  readonly matches: Matcher;
  /** As written. */
  readonly pattern: string;
  readonly layer: string;
}

/** The rules of one act, by effect, each in declared order. */
export type RuleSet = Readonly<Record<Effect, readonly ReadyRule[]>>;

const cache = new WeakMap<PolicyData, (RuleSet | undefined)[]>();

/** The rules of `act` as they look in `view`, one of `views`. Throws `ConfigError` for a rule that cannot be used. */
export function ruleSet(policy: PolicyData, act: ActType, view: View): RuleSet {
  let sets = cache.get(policy);
  if (!sets) {
    sets = [];
    cache.set(policy, sets);
  }
  const slot = actTypes.indexOf(act) * views.length + views.indexOf(view as (typeof views)[number]);
  sets[slot] ??= compiled(policy, act, view);
  return sets[slot];
}

/** Words are checked for every rule, also for those of other acts: a rule that is passed over fails open. */
function compiled(policy: PolicyData, act: ActType, view: View): RuleSet {
  assertWord("default effect", policy.defaults[act], effects);
  const set = { deny: [] as ReadyRule[], ask: [] as ReadyRule[], allow: [] as ReadyRule[] };
  for (const layer of policy.layers) {
    for (const rule of layer.rules) {
      assertWord("act", rule.act, actTypes);
      assertWord("effect", rule.effect, effects);
      if (rule.act !== act) continue;
      const matches = glob(patternText(act, rule.pattern, view));
      set[rule.effect].push({ matches, pattern: rule.pattern, layer: layer.name });
    }
  }
  return set;
}
