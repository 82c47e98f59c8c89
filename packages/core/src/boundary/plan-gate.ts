// The boundary of a run that has to propose a plan first: nothing is written and no command is run, whatever else its policy
// says. Reads and addresses stay as they were.
import { merge, planLayer } from "@harness/policy";
import type { PolicyData } from "@harness/spec";

/** What policies are while a plan is made: a thousand runs under one policy hold one between them. */
const gated = new WeakMap<PolicyData, PolicyData>();

export function whilePlanning(policy: PolicyData): PolicyData {
  const known = gated.get(policy) ?? gate(policy);
  gated.set(policy, known);
  return known;
}

function gate(policy: PolicyData): PolicyData {
  const rules = [
    { act: "write", effect: "deny", pattern: "*" },
    { act: "exec", effect: "deny", pattern: "*" },
  ] as const;
  // The defaults as well: what no rule can speak of is not to be had either.
  const defaults = { ...policy.defaults, write: "deny", exec: "deny" } as const;
  return merge(policy, { layers: [{ name: planLayer, rules }], defaults });
}
