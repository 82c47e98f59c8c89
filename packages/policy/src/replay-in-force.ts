// The policy that a run was under at a point of its trace: its driver's, with the rules that approvals of finished steps added.
import type { PolicyData, Rule } from "@harness/spec";
import { denying } from "./policy-data.js";
import { withRemembered } from "./run-layers.js";

export interface PolicyInForce {
  readonly policy: PolicyData;
  /** A driver brings its policy. */
  bring(policy: PolicyData): void;
  /** Rules that an approval adds hold once their step is finished. */
  remember(rules: readonly Rule[]): void;
  stepFinished(): void;
}

export function policyInForce(): PolicyInForce {
  let brought: PolicyData = denying;
  let remembered: readonly Rule[] = [];
  let holding: readonly Rule[] = [];
  /** Put together when it is asked for, and kept while it holds. */
  let policy: PolicyData | undefined;
  return {
    get policy() {
      policy ??= withRemembered(brought, holding);
      return policy;
    },
    bring(next) {
      brought = next;
      policy = undefined;
    },
    remember(rules) {
      if (rules.length > 0) remembered = [...remembered, ...rules];
    },
    stepFinished() {
      if (holding === remembered) return;
      holding = remembered;
      policy = undefined;
    },
  };
}
