// The policy that an undoing is judged by. An undoing asks nobody: whoever starts it is the person who would be asked, and says so
// by giving a policy that allows it.
import { explain, merge, Policy, parsePolicy } from "@harness/policy";
import type { ActRefusedError, FileAct, PolicyData, Rule } from "@harness/spec";
import type { UndoRefusal } from "./results.js";

const rememberedLayer = "remembered";

/** `policy` with the rules that approvals wanted remembered, as the run had them: in a layer on top. */
export function withRemembered(policy: PolicyData, rules: readonly Rule[]): PolicyData {
  if (rules.length === 0) return policy;
  const layers = policy.layers.filter(({ name }) => name !== rememberedLayer);
  const overlay = { layers: [{ name: rememberedLayer, rules }], defaults: policy.defaults };
  return merge({ ...policy, layers }, overlay);
}

/** A caller's policy as data. Throws `ConfigError` for one that cannot be used. */
export function policyData(policy: Policy | PolicyData): PolicyData {
  if (policy instanceof Policy) return policy.toJSON();
  // One from another installed copy of the package is not ours.
  return parsePolicy("toJSON" in policy && typeof policy.toJSON === "function" ? policy.toJSON() : policy);
}

/** Why `acts` may not happen; `undefined` when each is allowed outright. */
export function refusalOf(policy: PolicyData, acts: readonly FileAct[]): UndoRefusal | undefined {
  for (const act of acts) {
    const { effect, rule = null, layer = null } = explain(policy, act);
    if (effect === "allow") continue;
    const by =
      rule === null ? "by default" : `by the rule ${JSON.stringify(rule)} of the layer ${JSON.stringify(layer)}`;
    const reason =
      effect === "deny" ? `the policy denies writing it ${by}` : `the policy wants writing it asked about ${by}`;
    return { type: "refused", effect, rule, layer, reason };
  }
  return undefined;
}

/** The refusal of a path that no rule could allow. */
export function refusalBy({ reason }: Pick<ActRefusedError, "reason">): UndoRefusal {
  return { type: "refused", effect: "deny", rule: null, layer: null, reason };
}
