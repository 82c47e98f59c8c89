// Passages of a file, found and replaced in its bytes. A large file is never made a string of where that can be avoided: that
// alone would cost more than reading and writing it. Where line endings are mixed or the text is UTF-16, it is searched in
// its units: a character for each byte of UTF-8, and for each code unit of UTF-16.
import { encodeBody, isUtf16, type TextBytes } from "./decode.js";
import { insertInto } from "./line-endings.js";
import { bufferOf, unitsOf } from "./units.js";

const cr = 0x0d;

/** A part of a file, in units, the byte order mark not counted. */
export interface Passage {
  readonly start: number;
  /** Behind the last. */
  readonly end: number;
}

/** Where `search` occurs, overlaps included, whichever line endings either has. */
export function passagesOf(found: TextBytes, search: string): readonly Passage[] {
  const isPlain = !search.includes("\n") || !found.body.includes(cr);
  return !isUtf16(found.encoding) && isPlain ? inBytes(found.body, search) : inUnits(found, search);
}

/** `bytes`, which were recognised as `found`, with `text` for a passage, in the line ending of the line that it goes into. */
export function replacePassage(bytes: Uint8Array, found: TextBytes, { start, end }: Passage, text: string): Uint8Array {
  const mark = bytes.length - found.body.length;
  const width = isUtf16(found.encoding) ? 2 : 1;
  return Buffer.concat([
    bytes.subarray(0, mark + start * width),
    encodeBody(insertInto(found, start, text), found.encoding),
    bytes.subarray(mark + end * width),
  ]);
}

/** Of a search that can end its lines in one way only. */
function inBytes(body: Uint8Array, search: string): readonly Passage[] {
  const bytes = bufferOf(body);
  const wanted = Buffer.from(search.replaceAll("\r\n", "\n"));
  const passages: Passage[] = [];
  for (let start = bytes.indexOf(wanted); start !== -1; start = bytes.indexOf(wanted, start + 1)) {
    passages.push({ start, end: start + wanted.length });
  }
  return passages;
}

function inUnits(found: TextBytes, search: string): readonly Passage[] {
  const { encoding } = found;
  const wanted = unitsOf({ encoding, body: encodeBody(search, encoding) });
  const lines = wanted.split(/\r?\n/).map((line) => line.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  // A bare LF is not one that ends a CRLF: else the search "\nx" would be found twice in "\r\nx".
  const pattern = new RegExp(lines.join("(?:\\r\\n|(?<!\\r)\\n)"), "g");
  const units = unitsOf(found);
  const passages: Passage[] = [];
  for (let match = pattern.exec(units); match; match = pattern.exec(units)) {
    passages.push({ start: match.index, end: match.index + match[0].length });
    pattern.lastIndex = match.index + 1;
  }
  return passages;
}
