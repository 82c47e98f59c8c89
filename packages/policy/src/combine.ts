// Policies put together. `merge` stacks what one owner adds; `contain` holds a child inside its parent. Both only ever
// concatenate layers and take the stricter default, so the evaluator needs to know nothing of either.
import type { PolicyData, Rule } from "@harness/spec";
import { covers } from "./glob.js";
import { views } from "./paths.js";
import { patternText } from "./patterns.js";
import { defaultsFrom, frozen } from "./policy-data.js";
import { stricter } from "./vocabulary.js";

/**
 * `base` with `overlay` stacked on it. The overlay's allow rules add what no rule of the base speaks of; it can neither
 * lower a default nor lift a deny or an ask.
 */
export function merge(base: PolicyData, overlay: PolicyData): PolicyData {
  return frozen({ layers: [...base.layers, ...overlay.layers], defaults: stricterDefaults(base, overlay) });
}

/**
 * What a child runs under: the parent whole, then the child's deny and ask rules. The verdict is never more permissive
 * than the parent's. The child's allow rules are dropped, since they cannot grant. Where the parent refuses by default, an
 * ask rule of the child that no single rule of the parent covers becomes a deny: what the parent refuses by default
 * cannot be had by asking.
 */
export function contain(parent: PolicyData, child: PolicyData): PolicyData {
  const narrowing = child.layers
    .map(({ name, rules }) => ({ name, rules: rules.flatMap((rule) => narrowed(parent, rule)) }))
    .filter(({ rules }) => rules.length > 0);
  return frozen({ layers: [...parent.layers, ...narrowing], defaults: stricterDefaults(parent, child) });
}

function narrowed(parent: PolicyData, rule: Rule): readonly Rule[] {
  if (rule.effect === "allow") return [];
  if (rule.effect === "deny" || parent.defaults[rule.act] !== "deny" || isDecidedBy(parent, rule)) return [rule];
  return [{ ...rule, effect: "deny" }];
}

/** True when one rule of the parent decides everything that `rule` is about, so that its default never does. */
function isDecidedBy(parent: PolicyData, { act, pattern }: Rule): boolean {
  const rules = parent.layers.flatMap((layer) => layer.rules).filter((rule) => rule.act === act);
  return rules.some((rule) =>
    views.every((view) => covers(patternText(act, rule.pattern, view), patternText(act, pattern, view))),
  );
}

function stricterDefaults(a: PolicyData, b: PolicyData): PolicyData["defaults"] {
  return defaultsFrom((act) => stricter(a.defaults[act], b.defaults[act]));
}
