// What the model asks people beside approval, and what they said: questions and plans.
import type { EventOf } from "@harness/spec";
import { chopped } from "./fit.js";
import { clip, linesOf, printable } from "./printable.js";
import { inset, marks, type Style } from "./style.js";

export function questionLines({ content }: EventOf<"question.asked">, style: Style): readonly string[] {
  const { wait } = marks(style.paint);
  if (!content) return [`  ${wait} a question (not kept)`];
  const { question, context, choices } = content;
  const [first = "", ...rest] = linesOf(question);
  return [
    `  ${wait} asks: ${style.paint.bold(first)}`,
    ...under([...rest, ...linesOf(context ?? "")], style),
    ...under(numbered(choices), style),
  ];
}

export function answeredLines({ by, content }: EventOf<"question.answered">, style: Style): readonly string[] {
  const [first = "", ...rest] = linesOf(content?.text ?? "(not kept)");
  return [`  ${marks(style.paint).good} answered by ${clip(by, 80)}: ${first}`, ...under(rest, style)];
}

export function planLines({ content }: EventOf<"plan.proposed">, style: Style): readonly string[] {
  const { wait } = marks(style.paint);
  const steps = content?.steps;
  if (!steps) return [`  ${wait} a plan (not kept)`];
  const title = `proposes a plan of ${steps.length} ${steps.length === 1 ? "step" : "steps"}`;
  return [`  ${wait} ${title}`, ...under(numbered(steps.map(({ intent }) => intent)), style)];
}

export function verdictLines({ verdict, by, content }: EventOf<"plan.decided">, { paint }: Style): readonly string[] {
  const { good, bad, again } = marks(paint);
  const who = clip(by, 80);
  switch (verdict) {
    case "approve":
      return [`  ${good} plan approved by ${who}`];
    case "cancel":
      return [`  ${bad} called off by ${who}; that ends the run`];
    case "revise":
      return [`  ${again} plan sent back by ${who}${content?.correction ? `: ${printable(content.correction)}` : ""}`];
    default:
      return verdict satisfies never;
  }
}

function numbered(texts: readonly string[]): readonly string[] {
  return texts.map((text, index) => `${index + 1}. ${printable(text).replace(/\s+/g, " ")}`);
}

function under(lines: readonly string[], { columns }: Style): readonly string[] {
  return lines.flatMap((line) => chopped(line, columns - inset.length)).map((line) => inset + line);
}
