// What runs wait for, each with everything that a person must see to answer it and the commands that do. Nothing is shortened
// here: what is not seen is approved all the same.
import { approvalText, printable, printableLines, type Waiting } from "@harness/core";
import { type CommandPlace, commandOf } from "../command-line.js";
import { duration } from "./durations.js";
import { waysToAnswer } from "./next-commands.js";
import type { Paint } from "./paint.js";

export interface WaitingRow {
  readonly waiting: Waiting;
  /** Somebody drives the run now, and takes an answer as it comes. */
  readonly isDriven: boolean;
  /** The arguments of a command that goes on with the run where nobody drives it. */
  readonly resume: readonly string[];
}

export interface WaitingMoment {
  /** Epoch ms. */
  readonly now: number;
  readonly place: CommandPlace;
  readonly paint: Paint;
}

/** Behind `waits for`. */
export const waitedFor: Readonly<Record<Waiting["type"], string>> = {
  approval: "approval",
  question: "an answer",
  plan: "a verdict on its plan",
  recovery: "word of what became of a call",
};

export function waitingLines(rows: readonly WaitingRow[], moment: WaitingMoment): readonly string[] {
  return rows.flatMap((row, index) => [...(index > 0 ? [""] : []), ...rowLines(row, moment)]);
}

function rowLines({ waiting, isDriven, resume }: WaitingRow, { now, place, paint }: WaitingMoment): readonly string[] {
  const { bold, dim, yellow, cyan } = paint;
  const head = `${bold(waiting.request)}  waits for ${yellow(waitedFor[waiting.type])}  ${duration(now - waiting.since)}`;
  const commands = waysToAnswer(waiting).map((words) => `  ${cyan(commandOf(place, ...words))}`);
  const after = isDriven
    ? "  Its driver waits and takes the answer at once."
    : `  Nobody drives it. After the answer: ${commandOf(place, ...resume)}`;
  return [head, ...shownLines(waiting).map((line) => `  ${line}`), ...commands, dim(after)];
}

function shownLines(waiting: Waiting): readonly string[] {
  switch (waiting.type) {
    case "approval":
      return approvalText(waiting).split("\n");
    case "recovery":
      return [`Nobody knows whether call ${waiting.call} took effect.`, ...approvalText(waiting).split("\n")];
    case "question":
      return [goalText(waiting), ...questionLines(waiting)];
    case "plan":
      return [goalText(waiting), "Plan:", ...numbered(waiting.steps.map(({ intent }) => intent))];
    default:
      return waiting satisfies never;
  }
}

function goalText({ goal }: Waiting): string {
  return `Goal:  ${printableLines(goal, "         ")}`;
}

function questionLines({ question, context, choices }: Extract<Waiting, { type: "question" }>): readonly string[] {
  return [
    `Asks:  ${printableLines(question, "         ")}`,
    ...(context === undefined ? [] : [`       ${printableLines(context, "         ")}`]),
    ...numbered(choices),
  ];
}

function numbered(texts: readonly string[]): readonly string[] {
  return texts.map((text, index) => `  ${index + 1}. ${printable(text)}`);
}
