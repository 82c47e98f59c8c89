// The layers that a run puts on top of the policy it was given. A run that is driven, one that is replayed and one that is undone
// must come to the same policy, so they are made here.
import type { PolicyData, Rule } from "@harness/spec";
import { merge } from "./combine.js";

/** Of the rules that approvals wanted remembered. */
export const rememberedLayer = "remembered";

/** Of a run that has to propose a plan first. */
export const planLayer = "plan-gate";

/** `policy` with the rules that approvals wanted remembered, in a layer of their own on top: they can defeat no deny beneath it. */
export function withRemembered(policy: PolicyData, rules: readonly Rule[]): PolicyData {
  if (rules.length === 0) return policy;
  const layers = policy.layers.filter(({ name }) => name !== rememberedLayer);
  const overlay = { layers: [{ name: rememberedLayer, rules }], defaults: policy.defaults };
  return merge({ ...policy, layers }, overlay);
}
