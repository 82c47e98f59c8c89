// What patterns and targets have in common: both are brought into one canonical form before they meet, by the same
// functions, or they cannot be used at all. A target without a form is refused; a pattern without one is a configuration
// error, because a rule that can never match would only look like protection.
import { ActRefusedError, type ActType } from "@harness/spec";

/** The canonical text, or why there is none: a clause that follows "because". */
export type Form =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string };

/** Any character whose spelling is not settled by being ASCII. */
export const beyondAscii = /[\u0080-\uffff]/;

/** Why `text` names nothing on any system, or nothing. */
export function unnameable(text: unknown): string | undefined {
  if (typeof text !== "string") return `it is ${text === null ? "null" : typeof text}, not text`;
  if (text.includes("\0")) return "it contains a NUL character";
  return text.isWellFormed() ? undefined : "it contains half of a surrogate pair";
}

/** Throws `ActRefusedError` for a target that no rule could be about. */
export function assertNameable(act: ActType, target: string): void {
  const problem = unnameable(target);
  if (problem !== undefined) throw refusal(act, target, problem);
}

/** The refusal of a target that cannot be named. `shown` is what people get to see of it. */
export function refusal(act: ActType, shown: unknown, reason: string): ActRefusedError {
  return new ActRefusedError(act, typeof shown === "string" ? shown.toWellFormed() : "", reason);
}
