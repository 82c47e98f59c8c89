// A policy as callers give it, fluent or as data.
import type { PolicyData } from "@harness/spec";
import { parsePolicy } from "./parse.js";
import { Policy } from "./policy.js";

/**
 * A caller's policy as data: one from a file is as strict as one that was written in code. A `Policy` of ours has been checked rule
 * by rule and is taken as it is, so that what is worked out for it once serves again. Throws `ConfigError` for one that cannot be used.
 */
export function policyData(policy: Policy | PolicyData): PolicyData {
  if (policy instanceof Policy) return policy.toJSON();
  // One from another installed copy of the package is not ours.
  return parsePolicy("toJSON" in policy && typeof policy.toJSON === "function" ? policy.toJSON() : policy);
}
