// What a call does or would do, and what the policy said of it.
import type { Act, JsonObject, JudgedAct, Verdict } from "@harness/spec";
import { clip } from "./printable.js";

/** `write src/a.ts`, `exec npm test`. */
export function actText(act: Act): string {
  return `${act.type} ${targetText(act)}`;
}

function targetText(act: Act): string {
  return clip(act.type === "exec" && act.argv ? act.argv.map(word).join(" ") : act.target, 160);
}

function word(text: string): string {
  return text === "" || /\s/.test(text) ? JSON.stringify(text) : text;
}

/** `rule "src/*" of layer "app"`, or that no rule fits. */
export function ruleText(rule: string | null | undefined, layer: string | null | undefined): string {
  if (rule === null || rule === undefined) return "the default";
  return `rule "${clip(rule, 80)}" of layer "${clip(layer ?? "", 60)}"`;
}

/** Why an act was let through. Where the policy wanted it asked about, somebody said yes. */
function leaveText({ effect, rule, layer }: Verdict): string {
  return `${effect === "allow" ? "allowed" : "approved, as asked for"} by ${ruleText(rule, layer)}`;
}

/** What a call of `tool` was allowed to do, each with the reason. A tool that is called as its act does not say it twice. */
export function actTexts(acts: readonly JudgedAct[], tool: string): readonly string[] {
  return acts.map(
    ({ act, verdict }) => `${act.type === tool ? targetText(act) : actText(act)} (${leaveText(verdict)})`,
  );
}

/** The arguments of a call, for one that has no acts. */
export function inputText(input: JsonObject | null): string {
  return input === null ? "" : clip(JSON.stringify(input), 120);
}
