// Lines made to fit the terminal. Sentences break between words and go on under themselves; code and output break anywhere,
// since where a space stands in them matters.
import { cells, width, wrap } from "./printable.js";
import { inset } from "./style.js";

/** `line` as it is where it fits; else broken between words, with `indent` before what follows. It may be coloured. */
export function hanging(line: string, columns: number, indent = inset): readonly string[] {
  if (width(line) <= columns) return [line];
  const [first = "", ...rest] = wrap(line, columns, columns - indent.length);
  return [first, ...rest.map((part) => `${indent}${part.trimStart()}`)];
}

/** Rows of one line of code or output before the rest of it is only counted: a minified file is one line. */
const mostRows = 6;

/** Before every piece of a line but the first, so that none is taken for a line of its own. */
const goesOn = "↪ ";

/** `line`, without colours in it, in pieces of at most `columns` cells: broken behind a space where there is one near. */
export function chopped(line: string, columns: number, rows = mostRows): readonly string[] {
  if (line.length * 2 <= columns || width(line) <= columns) return [line];
  const pieces: string[] = [];
  let left = line;
  while (left !== "" && pieces.length < rows) {
    const lead = pieces.length === 0 ? "" : goesOn;
    const piece = firstPiece(left, columns - lead.length);
    pieces.push(lead + piece);
    left = left.slice(piece.length);
  }
  return left === "" ? pieces : [...pieces, `… ${left.length} more characters of this line`];
}

function firstPiece(text: string, columns: number): string {
  let used = 0;
  let end = 0;
  let behindSpace = 0;
  for (const character of text) {
    used += cells(character);
    if (used > columns && end > 0) return text.slice(0, behindSpace > (end * 2) / 3 ? behindSpace : end);
    end += character.length;
    if (character === " ") behindSpace = end;
  }
  return text;
}
