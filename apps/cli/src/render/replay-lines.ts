// What another policy would have decided of a run: a line for each act that it decides otherwise, then how often by which rule.
import type { DifferenceKind, PolicyDifference, PolicyReplay, SummaryRow, Unjudged } from "@harness/policy";
import { actText, ruleText } from "./acts.js";
import { counted } from "./counted.js";
import type { Paint } from "./paint.js";
import { clip } from "./printable.js";

const kinds: Readonly<Record<DifferenceKind, string>> = {
  "now-refused": "refused",
  "now-asked": "asked about",
  "now-allowed": "allowed",
  "other-rule": "as before, by another rule",
};

/** A line for `difference`, under the name of its step where the one before was of another. */
export function differenceLines(difference: PolicyDifference, before: number, paint: Paint): readonly string[] {
  const { step } = difference;
  const title = step === 0 ? "Before the first step" : `Step ${step}`;
  return [...(step === before ? [] : [paint.bold(title)]), differenceLine(difference, paint)];
}

/** `  refused  call 3.1: exec git push (then allowed by the default; now by rule "git push*" of layer "new")`. */
function differenceLine({ kind, call, act, decided, now, isRemembered }: PolicyDifference, paint: Paint): string {
  const who = call === null ? "the provider" : call === "gate" ? "the check" : `call ${call}`;
  const then = `then ${decidedText(decided)} by ${ruleText(decided.rule, decided.layer)}${isRemembered ? ", which an approval had added" : ""}`;
  const reasons = paint.dim(`(${then}; now by ${ruleText(now.rule, now.layer)})`);
  return `  ${kindText(kind, paint)}  ${who}: ${actText(act)} ${reasons}`;
}

function decidedText({ effect, answer, by }: PolicyDifference["decided"]): string {
  if (effect === "allow") return "allowed";
  if (effect === "deny") return "denied";
  if (answer === "open" || answer === undefined) return "asked about, without an answer yet,";
  return `asked about, and ${answer}${by === undefined ? "" : ` by ${clip(by, 60)},`}`;
}

function kindText(kind: DifferenceKind, { red, yellow, green, dim }: Paint): string {
  const colour = { "now-refused": red, "now-asked": yellow, "now-allowed": green, "other-rule": dim }[kind];
  return colour(kinds[kind]);
}

export function replaySummaryLines(
  { summary, judged, egress, unjudged }: Omit<PolicyReplay, "differences">,
  hasDifferences: boolean,
  paint: Paint,
): readonly string[] {
  const title = hasDifferences
    ? ["", paint.bold(`Of ${counted(judged, "act")}`), ...summary.map((row) => summaryLine(row, paint))]
    : [`Nothing would be decided otherwise of ${counted(judged, "act")}.`];
  const net = [
    ...(egress.nowOpen > 0 ? [`  network open for ${counted(egress.nowOpen, "command")} that had none`] : []),
    ...(egress.nowClosed > 0 ? [`  no network for ${counted(egress.nowClosed, "command")} that had it`] : []),
  ];
  const left = unjudgedTexts(unjudged);
  return [...title, ...net, ...(left.length > 0 ? [paint.dim(`Cannot be told: ${left.join("; ")}.`)] : [])];
}

function summaryLine({ kind, act, rule, layer, isRemembered, count }: SummaryRow, paint: Paint): string {
  const remembered = isRemembered ? ", instead of a rule that an approval had added" : "";
  return `  ${count.toLocaleString("en-US").padStart(5)} × ${kindText(kind, paint)}  ${act} by ${ruleText(rule, layer)}${remembered}`;
}

function unjudgedTexts(unjudged: Unjudged): readonly string[] {
  const texts: readonly (readonly [number, string])[] = [
    [unjudged.callsWithoutActs, "call of which no act is recorded"],
    [unjudged.refusedCalls, "refused call, what else it would have done"],
    [unjudged.refusedUnclear, "refused call of which too little is recorded"],
    [unjudged.refusedByTools, "refusal by a tool itself"],
    [unjudged.refusedWhilePlanning, "refusal because there was no plan yet"],
    [unjudged.gates, "check whose command is not kept"],
  ];
  const counts = texts.filter(([count]) => count > 0).map(([count, what]) => `${count} × ${what}`);
  return [...counts, ...(unjudged.endpoints > 0 ? ["whether it would let the provider dial its hosts"] : [])];
}
