export { contain, merge } from "./combine.js";
export type { DescribeOptions } from "./describe.js";
export { describePolicy } from "./describe.js";
export { commandEgress } from "./egress.js";
export type { ExplainOptions } from "./explain.js";
export { explain } from "./explain.js";
export { policyData } from "./given-policy.js";
export { canonicalHost, netTarget } from "./hosts.js";
export { parsePolicy, policyJsonSchema } from "./parse.js";
export type { PathOptions, Platform } from "./paths.js";
export { canonicalPath } from "./paths.js";
export { Policy } from "./policy.js";
export { isPermissive } from "./policy-data.js";
export type { ReplayOptions } from "./replay.js";
export { replayPolicy } from "./replay.js";
export type {
  DecidedThen,
  DifferenceKind,
  PolicyDifference,
  PolicyReplay,
  SummaryRow,
  Unjudged,
} from "./replay-results.js";
export { planLayer, rememberedLayer, withRemembered } from "./run-layers.js";
export { stricter } from "./vocabulary.js";
