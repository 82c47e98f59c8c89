// What came of attacking a sandbox: a line for each attack as it comes, and a last one that is the answer.
import type { AttackResult } from "@harness/testing/attacks";
import { hanging } from "./fit.js";
import { clip, printable } from "./printable.js";
import { marks, type Style } from "./style.js";

type Look = Pick<Style, "paint" | "columns">;

export interface AttackOutcome {
  readonly backend: string;
  readonly results: readonly AttackResult[];
  /** What is false of what the sandbox declares, a sentence each. */
  readonly wrong: readonly string[];
}

export function attackTitle(backend: string | undefined, { paint }: Look): readonly string[] {
  return [
    paint.bold(`Attacks on ${printable(backend ?? "a sandbox that could not be made")}`),
    paint.dim(`    ${"result".padEnd(resultColumns)}  ${"as declared".padEnd(declaredColumns)}  a command tries to …`),
  ];
}

const resultColumns = "got through".length;
const declaredColumns = "as declared".length;

export function attackLine(result: AttackResult, { paint, columns }: Look): readonly string[] {
  const { mark, words, declared } = reading(result, marks(paint));
  // How it was stopped is of no interest where that was to be.
  const isPlain = result.result === result.expected && (result.result === "stopped" || result.id === "work");
  const evidence = isPlain ? "" : `: ${clip(result.evidence, 160)}`;
  const lead = `  ${mark} ${words.padEnd(resultColumns)}  ${declared.padEnd(declaredColumns)}  `;
  const line = `${lead}${result.title}${paint.dim(printable(evidence).replaceAll("\n", " "))}`;
  return hanging(line, columns, " ".repeat(resultColumns + declaredColumns + 8));
}

interface Reading {
  readonly mark: string;
  readonly words: string;
  /** Whether that is what the sandbox said; empty where there is nothing to compare. */
  readonly declared: string;
}

/** To work is to succeed where an attack is to be stopped. */
function reading(
  { id, expected, result }: AttackResult,
  { good, bad, note, quiet }: ReturnType<typeof marks>,
): Reading {
  const isWork = id === "work";
  switch (result) {
    case "not-tried":
      return { mark: quiet, words: "not tried", declared: "" };
    case "failed":
      return { mark: bad, words: "did not run", declared: "" };
    case "stopped":
      if (isWork) return { mark: bad, words: "stopped", declared: "no" };
      return { mark: good, words: "stopped", declared: expected === "stopped" ? "yes" : "better" };
    case "succeeded":
      if (isWork) return { mark: good, words: "done", declared: "yes" };
      return expected === "succeeded"
        ? { mark: note, words: "got through", declared: "yes" }
        : { mark: bad, words: "got through", declared: "no" };
    default:
      return result satisfies never;
  }
}

/** What is false, if anything, and the answer in one line. */
export function attackSummary({ backend, results, wrong }: AttackOutcome, { paint, columns }: Look): readonly string[] {
  const attacks = results.filter(({ id }) => id !== "work");
  const count = (result: AttackResult["result"]) => attacks.filter((one) => one.result === result).length;
  const counts = [
    `${count("stopped")} stopped`,
    `${count("succeeded")} got through`,
    `${count("not-tried")} not tried`,
    ...(count("failed") > 0 ? [`${count("failed")} did not run`] : []),
  ];
  const isTrue = wrong.length === 0;
  const verdict = isTrue ? "It keeps its word." : "It does not keep its word.";
  const answer = `${attacks.length} attacks on ${printable(backend)}: ${counts.join(", ")}. ${verdict}`;
  const paragraphs = wrong.flatMap((sentence) => hanging(`  ${printable(sentence)}`, columns, "    "));
  return ["", ...paragraphs, isTrue ? paint.green(answer) : paint.red(answer)];
}

/** The same for programs. */
export function attackObject({ backend, results, wrong }: AttackOutcome): object {
  return { backend, keepsItsWord: wrong.length === 0, wrong, attacks: results };
}
