// A person at a terminal: approves, answers and judges plans by typing a line. What they are shown is printable only; what they
// do not plainly say is not yes.
import type { Approver, PlanGate, PlanStep, Question, Responder } from "@harness/spec";
import { approvalText } from "./approval-text.js";
import { linesOf, type TextInput, type TextOutput } from "./input-lines.js";
import { printable, printableLines } from "./printable.js";

export interface TerminalOptions {
  /** Read only while a question is open. Several who are given the same one take turns. */
  readonly input: TextInput;
  readonly output: TextOutput;
}

/** Approves what is answered with `y` or `Y`. Anything else denies: an empty line, other words, the end of the input. */
export function stdinApprover(terminal: TerminalOptions): Approver {
  return {
    async decide(request, { signal }) {
      const line = await ask(terminal, `${approvalText(request)}\nApprove? [y/N] `, signal);
      if (line?.trim().toLowerCase() === "y") return { type: "approve" };
      return { type: "deny", reason: "It was denied at the terminal." };
    },
  };
}

/** A number picks a choice, other text is the answer; an empty line and the end of the input leave the question open. */
export function stdinResponder(terminal: TerminalOptions): Responder {
  return {
    async answer(question, { signal }) {
      const line = (await ask(terminal, questionText(question), signal))?.trim() ?? "";
      if (line === "") return null;
      const choice = /^\d+$/.test(line) ? question.choices[Number(line) - 1] : undefined;
      return choice ?? line;
    },
  };
}

/** `y` approves, `n` calls the run off, other text is what should be different; an empty line and the end leave it open. */
export function stdinPlanGate(terminal: TerminalOptions): PlanGate {
  return {
    async review(plan, { signal }) {
      const line = (await ask(terminal, planText(plan), signal))?.trim() ?? "";
      if (line === "") return null;
      if (/^y$/i.test(line)) return { type: "approve" };
      return /^n$/i.test(line) ? { type: "cancel" } : { type: "revise", correction: line };
    },
  };
}

async function ask({ input, output }: TerminalOptions, text: string, signal: AbortSignal): Promise<string | null> {
  let isShown = false;
  const show = () => {
    isShown = true;
    output.write(`\n${text}`);
  };
  try {
    return await linesOf(input).ask(show, signal);
  } catch (error) {
    // The one who sits here must not go on thinking about it.
    if (isShown) output.write(`\n${printable(error instanceof Error ? error.message : "It is not asked any more.")}\n`);
    throw error;
  }
}

function questionText({ question, context, choices }: Question): string {
  return [
    `Question: ${printableLines(question, "          ")}`,
    ...(context === undefined ? [] : [`          ${printableLines(context, "          ")}`]),
    ...choices.map((choice, index) => `  ${index + 1}. ${printableLines(choice, "     ")}`),
    `Answer${choices.length > 0 ? ", or a number" : ""} (empty: later): `,
  ].join("\n");
}

function planText(plan: readonly PlanStep[]): string {
  return [
    "Plan:",
    ...plan.map(({ intent }, index) => `  ${index + 1}. ${printableLines(intent, "     ")}`),
    "y approves, n calls the run off, other text is what should be different (empty: later): ",
  ].join("\n");
}
