// Hunks on a text: all of them or none. Each must match exactly where it says, in the text as it was, so that nothing is
// changed that the writer of the patch has not seen. Line endings are the file's: those that differ in nothing else match.
import { type Hunk, inverse, oldLines } from "./hunk.js";
import { mismatch } from "./mismatch.js";
import { parsePatch } from "./parse-patch.js";
import { type TextLines, textLines } from "./text-lines.js";

export type PatchedText =
  | { readonly type: "patched"; readonly text: string }
  /** `reason` is for the model: which hunk, what stopped it, what to do. */
  | { readonly type: "refused"; readonly reason: string };

/** What the unified diff `patch` makes of `text`. */
export function patchText(text: string, patch: string): PatchedText {
  const parsed = parsePatch(patch);
  if (parsed.type === "malformed") return refused(parsed.reason);
  return applied(textLines(text), parsed.hunks);
}

/** What may have been there before `patch` made `text` of it; `undefined` when it cannot have. */
export function unpatchText(text: string, patch: string): string | undefined {
  const parsed = parsePatch(patch);
  if (parsed.type === "malformed") return undefined;
  const before = applied(textLines(text), inverse(parsed.hunks));
  return before.type === "patched" ? before.text : undefined;
}

function applied(lines: TextLines, hunks: readonly Hunk[]): PatchedText {
  const pieces: string[] = [];
  const add = (piece: string) => piece !== "" && pieces.push(piece);
  let done = 0;
  for (const hunk of hunks) {
    const old = oldLines(hunk);
    const end = hunk.at + old.length;
    const misfit = hunk.at < done ? overlap(hunk, done) : mismatch(hunk, old, lines);
    if (misfit !== undefined) return refused(misfit);

    add(lines.between(done, hunk.at));
    const fresh = freshText(hunk, old, lines);
    if (fresh !== "" && isOpen(pieces.at(-1))) return refused(joined(hunk));
    if (isOpen(fresh) && end < lines.length) return refused(joined(hunk));
    add(fresh);
    done = end;
  }
  add(lines.between(done, lines.length));
  return { type: "patched", text: pieces.join("") };
}

function freshText({ at, lines: hunkLines }: Hunk, old: readonly string[], lines: TextLines): string {
  // A patch that has the very endings of the file means the ones it brings. A line without an ending shows nothing.
  const isExact =
    old.some((line) => line.endsWith("\n")) && old.every((line, index) => line === lines.line(at + index));
  let next = at;
  let fresh = "";
  for (const { mark, text } of hunkLines) {
    if (mark === "+") fresh += isExact ? text : inStyleAt(lines, next, text);
    if (mark === " ") fresh += lines.line(next);
    if (mark !== "+") next += 1;
  }
  return fresh;
}

/** `line` with the ending of the line before `index`, or of one near it: the last line of a text may have none. */
function inStyleAt(lines: TextLines, index: number, line: string): string {
  const near = [index - 1, index, index - 2].map((at) => lines.line(at)).find((known) => known?.endsWith("\n"));
  if (near === undefined || !line.endsWith("\n")) return line;
  return line.replace(/\r?\n$/, near.endsWith("\r\n") ? "\r\n" : "\n");
}

/** True for text that a line behind it would run into. */
function isOpen(text: string | undefined): boolean {
  return text !== undefined && text !== "" && !text.endsWith("\n");
}

function overlap({ name, at }: Hunk, done: number): string {
  return `${name} begins at line ${at + 1}, but the hunk before it reaches to line ${done}. Give hunks in the order of the file, without overlap.`;
}

function joined({ name }: Hunk): string {
  return (
    `${name} would put a line behind one that has no newline at its end. Only the last line of the file may be followed ` +
    "by \\ No newline at end of file; to add behind such a line, remove it and add it again with what follows."
  );
}

function refused(reason: string): PatchedText {
  return { type: "refused", reason };
}
