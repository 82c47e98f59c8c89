// Answers that a resume brings, by name.
import type { Decision, JsonObject, RecoveryDecision, Rule } from "@harness/spec";

type Approval = Extract<Decision, { type: "approve" }>;
type Denial = Extract<Decision, { type: "deny" }>;

/** Yes. `input` replaces the call's arguments, which are planned again and may not cross a deny; `remember` holds from the next step. */
export function approve(options: { readonly input?: JsonObject; readonly remember?: readonly Rule[] } = {}): Approval {
  return { type: "approve", ...options };
}

/** No: the model is told `reason` and goes on; with `final` the run ends as `denied`. */
export function deny(reason: string, options: { readonly final?: boolean } = {}): Denial {
  return { type: "deny", reason, ...options };
}

/** The call may be made again. */
export function retry(): RecoveryDecision {
  return { type: "retry" };
}

/** The call did take effect; `observation` is what the model reads as its result. */
export function completed(observation: string): RecoveryDecision {
  return { type: "completed", observation };
}

/** End the run as `denied`. */
export function abort(): RecoveryDecision {
  return { type: "abort" };
}
