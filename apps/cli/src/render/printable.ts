// Text that a model, a tool or a command wrote, made fit to be shown: it must neither steer the terminal nor flood it.
import { stripVTControlCharacters } from "node:util";

/** `text` without anything that a terminal would obey. Line breaks stay; tabs become spaces. */
export function printable(text: string): string {
  return (
    stripVTControlCharacters(text)
      .replace(/\r\n?/g, "\n")
      .replaceAll("\t", "    ")
      // Controls, and the marks that make text read in another direction than it is written.
      .replace(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd")
  );
}

/** The lines of `text`, without those that are empty at either end. */
export function linesOf(text: string): readonly string[] {
  const lines = printable(text).trimEnd().split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first);
}

/** At most `most` of `lines`: the first, and as many of the last. Says how many are missing, and `hint` behind that. */
export function excerpt(lines: readonly string[], most: number, hint = ""): readonly string[] {
  if (lines.length <= most) return lines;
  const head = Math.ceil((most - 1) / 2);
  const tail = most - 1 - head;
  return [
    ...lines.slice(0, head),
    `… ${lines.length - head - tail} more lines${hint}`,
    ...lines.slice(lines.length - tail),
  ];
}

/** What test runners and compilers of every kind write beside what matters. */
const telling = /\bnot ok\b|[✖✗✘×]|\bfail(ed|ures?|ing)?\b|\bpass(ed)?\b|\berror\b(?!:\s*\|)/i;

/** At most `most` lines that say how a command went: those about failures where there are some, else the first and the last. */
export function gist(lines: readonly string[], most: number, hint = ""): readonly string[] {
  if (lines.length <= most) return lines;
  const found = [...new Set(lines.filter((line) => telling.test(line)).map((line) => line.trim()))];
  return excerpt(found.length > 0 ? found : lines, most, hint);
}

/**
 * `line` broken between words, so that none of the lines has more than `columns` cells unless a word alone has; those after
 * the first `further`.
 */
export function wrap(line: string, columns: number, further = columns): readonly string[] {
  if (width(line) <= columns) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\s)/)) {
    const room = lines.length === 0 ? columns : further;
    if (current.trim() !== "" && width(current + word.trimEnd()) > room) {
      lines.push(current.trimEnd());
      current = "";
    }
    current += word;
  }
  return [...lines, current.trimEnd()];
}

/** `text` on one line of at most `columns` cells. */
export function clip(text: string, columns: number): string {
  const flat = printable(text).replace(/\s+/g, " ").trim();
  if (width(flat) <= columns) return flat;
  let used = 1;
  let kept = "";
  for (const character of flat) {
    used += cells(character);
    if (used > columns) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Cells of a line. Colours take none. */
export function width(line: string): number {
  let total = 0;
  for (const character of stripVTControlCharacters(line)) total += cells(character);
  return total;
}

// Everything from the first wide script on counts as wide, and so does Hangul before it: a line that is too short is better
// than one that wraps.
export function cells(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point >= 0x2e80 || (point >= 0x1100 && point <= 0x115f) ? 2 : 1;
}
