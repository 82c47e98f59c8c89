// What `harness doctor` found, as a screen to read from top to bottom and as one object.
import type { Finding, Section } from "../doctor/check.js";
import { hanging } from "./fit.js";
import { printable } from "./printable.js";
import { marks, type Style } from "./style.js";

type Look = Pick<Style, "paint" | "columns">;

export function doctorLines(sections: readonly Section[], style: Look): readonly string[] {
  const body = sections.flatMap((section) => [...sectionLines(section, style), ""]);
  return [...body, ...verdictLines(sections, style)];
}

function sectionLines({ title, findings }: Section, style: Look): readonly string[] {
  return [style.paint.bold(title), ...findings.flatMap((finding) => findingLines(finding, style))];
}

/** Of the longest name, `not checked`, and of `no caps on`. */
const nameColumns = 11;

function findingLines({ status, name, text }: Finding, { paint, columns }: Look): readonly string[] {
  const line = `  ${markOf(status, paint)} ${paint.dim(name.padEnd(nameColumns))}  ${printable(text).replaceAll("\n", " ")}`;
  return hanging(line, columns, " ".repeat(nameColumns + 6));
}

function markOf(status: Finding["status"], paint: Look["paint"]): string {
  const { good, bad, note, quiet } = marks(paint);
  return { ok: good, plain: quiet, note, problem: bad }[status];
}

/** The last line is the answer: nothing is missing, or what is and what to do about each. */
function verdictLines(sections: readonly Section[], { paint, columns }: Look): readonly string[] {
  const problems = problemsIn(sections);
  if (problems.length === 0) return [paint.green("Everything needed is here.")];
  const title = problems.length === 1 ? "One thing is wrong:" : `${problems.length} things are wrong:`;
  return [paint.red(title), ...problems.flatMap((problem) => hanging(`  ${printable(problem)}`, columns, "    "))];
}

function problemsIn(sections: readonly Section[]): readonly string[] {
  return sections.flatMap(({ title, findings }) =>
    findings
      .filter(({ status }) => status === "problem")
      .map(({ name, text, advice }) => `${title}, ${name}: ${text.replace(/\.$/, "")}.${advice ? ` ${advice}` : ""}`),
  );
}

/** True when runs can be driven here. */
export function isReady(sections: readonly Section[]): boolean {
  return problemsIn(sections).length === 0;
}

/** The same for programs: whether all is well, what is not, and the facts by section. */
export function doctorObject(sections: readonly Section[]): object {
  const facts = sections.map(({ title, facts }) => [title.toLowerCase(), facts] as const);
  return { isReady: isReady(sections), problems: problemsIn(sections), ...Object.fromEntries(facts) };
}
