// A unified diff of one file, as hunks. The counts in a header decide where its body ends, since a removed line may look
// like the header of a file. What does not add up is refused, and told what it adds up to.
import type { Hunk, HunkLine } from "./hunk.js";
import { quoted } from "./quoted.js";

export type ParsedPatch =
  | { readonly type: "hunks"; readonly hunks: readonly Hunk[] }
  /** `reason` is for the model: what is wrong and what to do. */
  | { readonly type: "malformed"; readonly reason: string };

type Malformed = Extract<ParsedPatch, { type: "malformed" }>;

/** Reads `patch`. What comes before its first `@@` is ignored, so that no header can name another file. */
export function parsePatch(patch: string): ParsedPatch {
  const lines = patch.split("\n");
  // What follows the last newline is no line.
  if (lines.at(-1) === "") lines.pop();
  let next = lines.findIndex((line) => line.startsWith("@@"));
  if (next === -1) return malformed("it has no hunk. A hunk begins with a line like @@ -10,3 +10,4 @@.");
  const hunks: Hunk[] = [];
  while (next < lines.length) {
    const read = readHunk(lines, next, hunks.length + 1);
    if (read.type === "malformed") return read;
    hunks.push(read.hunk);
    next = read.next;
  }
  return { type: "hunks", hunks };
}

interface ReadHunk {
  readonly type: "hunk";
  readonly hunk: Hunk;
  /** Index of the line behind it, blank ones at the end of the patch passed over. */
  readonly next: number;
}

function readHunk(lines: readonly string[], start: number, number: number): ReadHunk | Malformed {
  const header = readHeader(lines[start] ?? "", number);
  if (!header) return malformed(`${lineName(lines, start)} is no hunk header. Write it like @@ -10,3 +10,4 @@.`);
  const { name, at, count } = header;
  if (at < 0) return malformed(`${name} begins at line 0, but the first line is line 1.`);

  const end = bodyEnd(lines, start + 1, count);
  const problem = problemBehind(lines, { start, end, header });
  if (problem !== undefined) return malformed(problem);
  const body = hunkLines(lines.slice(start + 1, end));
  if (!body) return malformed(`${name} has a line starting with \\ that is not behind the last line of either side.`);
  return { type: "hunk", hunk: { name, at, lines: body }, next: isBlankFrom(lines, end) ? lines.length : end };
}

/** Lines on either side. */
interface Count {
  readonly old: number;
  readonly fresh: number;
}

interface Header {
  readonly name: string;
  /** Lines of the original before the hunk. */
  readonly at: number;
  readonly freshStart: string;
  readonly count: Count;
}

function readHeader(line: string, number: number): Header | undefined {
  const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (!match) return undefined;
  const [text, oldStart, old = "1", freshStart = "", fresh = "1"] = match;
  const count = { old: Number(old), fresh: Number(fresh) };
  return {
    name: `hunk ${number} (${text})`,
    // A header names the first old line, or, without old lines, the line that they would come behind.
    at: count.old === 0 ? Number(oldStart) : Number(oldStart) - 1,
    freshStart,
    count,
  };
}

const marks = [" ", "-", "+", "\\"] as const;

/** What a line of a body is; `undefined` for what cannot be one. A blank line is a line of context without its space. */
function markOf(line: string): (typeof marks)[number] | undefined {
  return isBlank(line) ? " " : marks.find((mark) => line.startsWith(mark));
}

function isBlank(line: string): boolean {
  return line === "" || line === "\r";
}

/** Where the body ends that begins at `from`: when it has as many lines as counted, or at what cannot be one of them. */
function bodyEnd(lines: readonly string[], from: number, { old, fresh }: Count): number {
  let at = from;
  for (; at < lines.length; at += 1) {
    const mark = markOf(lines[at] ?? "");
    if (mark === undefined || (mark !== "\\" && old <= 0 && fresh <= 0)) break;
    if (mark === " " || mark === "-") old -= 1;
    if (mark === " " || mark === "+") fresh -= 1;
  }
  return at;
}

function problemBehind(
  lines: readonly string[],
  { start, end, header }: { readonly start: number; readonly end: number; readonly header: Header },
): string | undefined {
  const { old, fresh } = tally(lines.slice(start + 1, end));
  const line = lines[end];
  if (old !== header.count.old || fresh !== header.count.fresh) return miscount(lines, start, header);
  if (line === undefined || line.startsWith("@@") || isBlankFrom(lines, end)) return undefined;
  if (isFileHeader(lines, end)) {
    return `${lineName(lines, end)} begins another file. Send the hunks of each file in a call of its own.`;
  }
  if (markOf(line) !== undefined) return miscount(lines, start, header);
  return `${lineName(lines, end)} belongs to no hunk. Every line of a hunk begins with a space, - or +.`;
}

function miscount(lines: readonly string[], start: number, { name, at, freshStart, count }: Header): string {
  let end = start + 1;
  while (end < lines.length && markOf(lines[end] ?? "") && !isFileHeader(lines, end)) end += 1;
  if (end === lines.length) while (isBlank(lines[end - 1] ?? "")) end -= 1;
  const { old, fresh } = tally(lines.slice(start + 1, end));
  return (
    `${name} counts ${count.old} old and ${count.fresh} new lines, but ${old} old and ${fresh} new follow ` +
    `(context is both). Give all of them, or count them as @@ -${old === 0 ? at : at + 1},${old} +${freshStart},${fresh} @@.`
  );
}

function tally(body: readonly string[]): Count {
  const count = (...counted: readonly string[]) => body.filter((line) => counted.includes(markOf(line) ?? "")).length;
  return { old: count(" ", "-"), fresh: count(" ", "+") };
}

function isBlankFrom(lines: readonly string[], start: number): boolean {
  let at = start;
  while (at < lines.length && isBlank(lines[at] ?? "")) at += 1;
  return at === lines.length;
}

function isFileHeader(lines: readonly string[], at: number): boolean {
  const [line = "", behind = ""] = lines.slice(at, at + 2);
  return /^(?:diff |Index: )/.test(line) || (line.startsWith("--- ") && behind.startsWith("+++ "));
}

/** `undefined` when a line is said to be the last of the file and is not the last of its side. */
function hunkLines(body: readonly string[]): readonly HunkLine[] | undefined {
  const lines: HunkLine[] = [];
  for (const line of body) {
    const mark = markOf(line);
    if (mark === undefined) return undefined;
    if (mark !== "\\") {
      lines.push({ mark, text: `${isBlank(line) ? line : line.slice(1)}\n` });
      continue;
    }
    const last = lines.pop();
    if (!last) return undefined;
    // A patch that ends this line with CRLF ends its own lines so: neither half belongs to the file.
    lines.push({ mark: last.mark, text: last.text.replace(line.endsWith("\r") ? /\r?\n$/ : /\n$/, "") });
  }
  const sides = ["+", "-"].map((other) => lines.filter(({ mark }) => mark !== other));
  const isWhole = sides.every((side) => side.slice(0, -1).every(({ text }) => text.endsWith("\n")));
  return isWhole ? lines : undefined;
}

function lineName(lines: readonly string[], at: number): string {
  return `line ${at + 1} of the patch (${quoted(lines[at] ?? "")})`;
}

function malformed(reason: string): Malformed {
  return { type: "malformed", reason };
}
