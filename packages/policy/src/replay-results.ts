// What a replay of a trace under another policy says: what would have been decided otherwise, and what cannot be told.
import type { Act, ActType, CallId, Effect, Verdict } from "@harness/spec";

/** What was decided when it happened. */
export interface DecidedThen {
  readonly effect: Effect;
  /** Both absent when the default decided. */
  readonly rule?: string;
  readonly layer?: string;
  /** For `ask`: what somebody said, or that nobody has yet. */
  readonly answer?: "approved" | "denied" | "open";
  /** Who said so, as the trace names them. */
  readonly by?: string;
}

/** `other-rule`: the same effect, by another rule, layer or default. */
export type DifferenceKind = "now-refused" | "now-asked" | "now-allowed" | "other-rule";

/** One act that the other policy decides otherwise. */
export interface PolicyDifference {
  readonly kind: DifferenceKind;
  readonly step: number;
  /** `gate` for the contract's own command, `null` for a host of the provider. */
  readonly call: CallId | "gate" | null;
  readonly act: Act;
  readonly decided: DecidedThen;
  readonly now: Verdict;
  /** What decided it then is a rule that an approval added. The other policy has none of those, and would get them by asking. */
  readonly isRemembered: boolean;
}

/** How many differences of one kind one rule of the other policy makes. */
export interface SummaryRow {
  readonly kind: DifferenceKind;
  readonly act: ActType;
  /** Both absent for the act's default. */
  readonly rule?: string;
  readonly layer?: string;
  readonly isRemembered: boolean;
  readonly count: number;
}

/** What a trace does not hold, counted. Nothing of it is among the differences. */
export interface Unjudged {
  /** Calls of which no act is recorded: their arguments were wrong, or their tool failed to say what it would do. */
  readonly callsWithoutActs: number;
  /** Refused calls: the act that was refused is judged, and what else the call would have done was not recorded. */
  readonly refusedCalls: number;
  /** Of these, where even that act cannot be told: a refusal keeps a command as one line, and not whether case counted. */
  readonly refusedUnclear: number;
  /** Refusals by a tool itself, as of a path that leaves the workspace: no policy lifts them. */
  readonly refusedByTools: number;
  /** Refusals because a plan had to be approved first, whatever the policy says. */
  readonly refusedWhilePlanning: number;
  /** Gates whose command is not kept any more. */
  readonly gates: number;
  /** Drivers whose provider's hosts were allowed: those are not recorded. */
  readonly endpoints: number;
}

export interface PolicyReplay {
  /** In the order of the trace. Empty when `onDifference` took them. */
  readonly differences: readonly PolicyDifference[];
  /** The most frequent first. */
  readonly summary: readonly SummaryRow[];
  /** Acts that were judged. */
  readonly judged: number;
  /** Commands for which the network would now be open or closed, where it was not. */
  readonly egress: { readonly nowOpen: number; readonly nowClosed: number };
  readonly unjudged: Unjudged;
}
