// What may be a rule. Fluent policies, JSON and the evaluator all ask here, so that none of them lets in a rule that
// another would pass over: a rule that is accepted and ignored is worse than none.
import { type ActType, ConfigError, type Rule } from "@harness/spec";
import { type Form, unnameable } from "./form.js";
import { hostPatternForm } from "./host-pattern.js";
import { pathPatternForm, type View, views } from "./paths.js";
import { actTypes, advice, effects } from "./vocabulary.js";

/** Throws `ConfigError` for an act, an effect or a pattern that cannot be used. */
export function assertRule({ act, effect, pattern }: Rule): void {
  assertWord("act", act, actTypes);
  assertWord("effect", effect, effects);
  const problem = patternProblem(act, pattern);
  if (problem !== undefined) throw new ConfigError(problem);
}

/** Throws `ConfigError` for a `word` that is not one of `known`. */
export function assertWord(what: string, word: string, known: readonly string[]): void {
  if (known.includes(word)) return;
  const shown = typeof word === "string" ? JSON.stringify(word) : `of type ${typeof word}`;
  throw new ConfigError(`A policy knows no ${what} ${shown}. ${advice(String(word), known)}`);
}

/** Throws `ConfigError` for a layer's name that a verdict could not be attributed to. */
export function assertLayerName(name: string): void {
  const problem = unnameable(name) ?? (name === "" ? "it is empty" : undefined);
  if (problem !== undefined) throw new ConfigError(`A policy layer needs a name that can be shown, and ${problem}.`);
}

/** Why `pattern` cannot be a rule of `act`, as a sentence, or nothing. */
export function patternProblem(act: ActType, pattern: string): string | undefined {
  for (const view of views) {
    const { problem } = patternForm(act, pattern, view);
    if (problem !== undefined) return sentence(act, pattern, problem);
  }
  return undefined;
}

/** The text of `pattern` in which targets meet it. Throws `ConfigError` where there is none. */
export function patternText(act: ActType, pattern: string, view: View): string {
  const form = patternForm(act, pattern, view);
  if (form.problem !== undefined) throw new ConfigError(sentence(act, pattern, form.problem));
  return form.text;
}

function patternForm(act: ActType, pattern: string, view: View): Form {
  const problem = unnameable(pattern);
  if (problem !== undefined) return { problem };
  switch (act) {
    case "read":
    case "write":
      return pathPatternForm(pattern, view);
    case "exec":
      return { text: pattern };
    case "net":
      return hostPatternForm(pattern);
    default:
      return act satisfies never;
  }
}

function sentence(act: ActType, pattern: unknown, problem: string): string {
  return `The ${act} pattern ${JSON.stringify(pattern)} cannot be used: ${problem}.`;
}
