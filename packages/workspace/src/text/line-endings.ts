// Line endings are the file's, not the model's: what a model writes takes the style of the file it goes into.

import { isUtf16, type TextBytes } from "./decode.js";
import { unitsOf } from "./units.js";

const lf = 0x0a;
const cr = 0x0d;

/** True when `text` has line endings and every one is CRLF. */
export function isCrlf(text: string): boolean {
  return text.includes("\n") && !/(?:^|[^\r])\n/.test(text);
}

/** `isCrlf` for a file, without reading all of it where its first line tells. */
export function isCrlfFile(found: TextBytes): boolean {
  if (!isUtf16(found.encoding) && found.body[found.body.indexOf(lf) - 1] !== cr) return false;
  return isCrlf(unitsOf(found));
}

/** `text` with every line ending as CRLF. */
export function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

/** `insert` with the ending that the line at `index` of `text` has; as it is when `text` has no line ending at all. */
export function inStyleOf(text: string, index: number, insert: string): string {
  const next = text.indexOf("\n", index);
  const ending = next === -1 ? text.lastIndexOf("\n") : next;
  return ending === -1 ? insert : withEndings(insert, text[ending - 1] === "\r");
}

/** `inStyleOf` for a file, with `index` in its units. */
export function insertInto(found: TextBytes, index: number, insert: string): string {
  if (isUtf16(found.encoding)) return inStyleOf(unitsOf(found), index, insert);
  const next = found.body.indexOf(lf, index);
  const ending = next === -1 ? found.body.lastIndexOf(lf) : next;
  return ending === -1 ? insert : withEndings(insert, found.body[ending - 1] === cr);
}

function withEndings(insert: string, areCrlf: boolean): string {
  const plain = insert.replaceAll("\r\n", "\n");
  return areCrlf ? toCrlf(plain) : plain;
}
