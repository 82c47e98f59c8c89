// The closed sets that policies are written in, and the order between effects. Everything that asks "is this a known word"
// or "which of these two is stricter" asks here, so that a word can never mean one thing to the parser and another to the
// evaluator.
import type { ActType, Effect, Verdict } from "@harness/spec";

export const actTypes = ["read", "write", "exec", "net"] as const satisfies readonly ActType[];

/** From lenient to strict. */
export const effects = ["allow", "ask", "deny"] as const satisfies readonly Effect[];

/**
 * The order in which rules are looked for. Deny comes first, in every layer, so that a layer stacked on top can widen what
 * is allowed and can never lift what is denied beneath it.
 */
export const precedence = ["deny", "ask", "allow"] as const satisfies readonly Effect[];

/**
 * The stricter of two effects or of two verdicts. Of equally strict verdicts, one that a rule decided says more than a
 * default does; otherwise `first`.
 */
export function stricter(first: Effect, second: Effect): Effect;
export function stricter(first: Verdict, second: Verdict): Verdict;
export function stricter(first: Effect | Verdict, second: Effect | Verdict): Effect | Verdict {
  const difference = strictness(second) - strictness(first);
  if (difference !== 0) return difference > 0 ? second : first;
  return ruleOf(first) === undefined && ruleOf(second) !== undefined ? second : first;
}

function strictness(value: Effect | Verdict): number {
  return effects.indexOf(typeof value === "string" ? value : value.effect);
}

function ruleOf(value: Effect | Verdict): string | undefined {
  return typeof value === "string" ? undefined : value.rule;
}

/** The word of `known` that `word` was probably meant to be: in another case, with another ending, or at most two slips away. */
function suggest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const near = known.find((name) => name === lower);
  if (near !== undefined || lower.length < 2) return near;
  const sameStart = known.find((name) => name.slice(0, 3) === lower.slice(0, 3));
  return sameStart ?? known.find((name) => slips(lower, name) <= Math.min(2, name.length - 2));
}

/** `a, b or c`, each in quotes. */
function oneOf(words: readonly string[]): string {
  const quoted = words.map((word) => JSON.stringify(word));
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/** What to do about a word that is not in `known`, as one or two sentences. */
export function advice(word: string, known: readonly string[]): string {
  const meant = suggest(word, known);
  return meant === undefined ? `Use ${oneOf(known)}.` : `Did you mean ${JSON.stringify(meant)}? Use ${oneOf(known)}.`;
}

/** Levenshtein's distance. Words are short: anything longer than a key could be is not compared at all. */
function slips(a: string, b: string): number {
  if (a.length > 20) return a.length;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
