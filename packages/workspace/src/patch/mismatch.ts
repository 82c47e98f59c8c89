// Why a hunk does not fit where it says, and whether it would fit elsewhere: the two things that tell a model what to send
// next. Nothing is ever moved for it, because where the same lines stand twice a guess would change the wrong ones.
import type { Hunk } from "./hunk.js";
import { quoted } from "./quoted.js";
import type { TextLines } from "./text-lines.js";

/** What keeps `hunk`, whose old lines are `old`, from matching `lines`; `undefined` when nothing does. */
export function mismatch({ name, at }: Hunk, old: readonly string[], lines: TextLines): string | undefined {
  if (old.length === 0 && at > lines.length) return `${name} adds behind line ${at}, but the file has ${lines.length}.`;
  const index = old.findIndex((line, offset) => !isSameAt(lines, at + offset, line));
  if (index === -1) return undefined;
  const difference = describe(old[index] ?? "", lines.line(at + index));
  return `${name} does not match the file at line ${at + index + 1}: ${difference}. ${advice(old, lines)}`;
}

function isSameAt(lines: TextLines, index: number, line: string): boolean {
  const found = lines.line(index);
  return found !== undefined && isSameLine(line, found);
}

function isSameLine(line: string, other: string): boolean {
  return line === other || (line.endsWith("\n") && other.endsWith("\n") && withLf(line) === withLf(other));
}

function withLf(line: string): string {
  return line.endsWith("\r\n") ? `${line.slice(0, -2)}\n` : line;
}

function describe(line: string, other: string | undefined): string {
  const expected = bare(line);
  if (other === undefined) return `expected ${quoted(expected)}, found the end of the file`;
  const found = bare(other);
  if (expected === found) {
    const [wanted, there] = line.endsWith("\n") ? ["with", "without"] : ["without", "with"];
    return `expected ${quoted(expected)} ${wanted} a newline at its end, found it ${there} one (say so by \\ No newline at end of file)`;
  }
  let focus = 0;
  while (expected[focus] === found[focus]) focus += 1;
  return `expected ${quoted(expected, focus)}, found ${quoted(found, focus)}`;
}

function bare(line: string): string {
  return line.replace(/\r?\n$/, "");
}

function advice(old: readonly string[], lines: TextLines): string {
  const places = placesOf(old, lines);
  if (places.length === 0) return "Read the file again; every space counts.";
  const numbers = places.slice(0, maxPlaces).join(", ");
  const more = places.length > maxPlaces ? " and elsewhere" : "";
  const name = places.length === 1 ? "line" : "lines";
  return `The same lines stand at ${name} ${numbers}${more}: give those numbers or use edit_file.`;
}

const maxPlaces = 3;
// A hint is worth no more: a file of equal lines could ask for one comparison per line of file and hunk.
const maxComparisons = 1_000_000;

/** Numbers of the lines at which `old` stands, at most one more than are shown. */
function placesOf(old: readonly string[], lines: TextLines): readonly number[] {
  const places: number[] = [];
  let left = maxComparisons;
  for (let at = 0; at + old.length <= lines.length && places.length <= maxPlaces && left > 0; at += 1) {
    let index = 0;
    while (index < old.length && isSameAt(lines, at + index, old[index] ?? "")) index += 1;
    left -= index + 1;
    if (index === old.length) places.push(at + 1);
  }
  return places;
}
