// What the policy that an undoing is judged by says of it. An undoing asks nobody: whoever starts it is the person who would be asked, and says so
// by giving a policy that allows it.
import { explain } from "@harness/policy";
import type { ActRefusedError, FileAct, PolicyData } from "@harness/spec";
import type { UndoRefusal } from "./results.js";

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
