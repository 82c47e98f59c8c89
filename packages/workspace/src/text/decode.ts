// Bytes as text, and back to the same bytes. Nothing is guessed: UTF-8, or what a byte order mark says; everything else
// is binary, because text read wrongly would be written back wrongly. Making a string of a large file costs more than all
// else that is done with it, so what needs no string asks only what the bytes are.
import { isAscii, isUtf8, transcode } from "node:buffer";
import { binaryKind } from "./binary-kind.js";

export type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";

/** Bytes that are text. `body` is what follows the byte order mark. */
export interface TextBytes {
  readonly type: "text";
  readonly encoding: Encoding;
  readonly body: Uint8Array;
}

/** Bytes that are not. `kind` as people name it: `PNG image`. */
export interface BinaryBytes {
  readonly type: "binary";
  readonly kind: string;
}

/** `text` without the byte order mark. */
export type Decoded = { readonly type: "text"; readonly text: string; readonly encoding: Encoding } | BinaryBytes;

const marks: readonly { readonly encoding: Encoding; readonly mark: readonly number[] }[] = [
  { encoding: "utf-8-bom", mark: [0xef, 0xbb, 0xbf] },
  { encoding: "utf-16le", mark: [0xff, 0xfe] },
  { encoding: "utf-16be", mark: [0xfe, 0xff] },
];

/** Says what `bytes` are. */
export function recognise(bytes: Uint8Array): TextBytes | BinaryBytes {
  const { encoding, body } = unmarked(bytes);
  const isText = isUtf16(encoding) ? utf16Text(body, encoding) !== undefined : isUtf8(body);
  return isText ? { type: "text", encoding, body } : { type: "binary", kind: kindOf(bytes, body, encoding) };
}

/** Reads `bytes`. `encode` gives the same bytes back. */
export function decode(bytes: Uint8Array): Decoded {
  const { encoding, body } = unmarked(bytes);
  const text = isUtf16(encoding) ? utf16Text(body, encoding) : utf8Text(body);
  if (text === undefined) return { type: "binary", kind: kindOf(bytes, body, encoding) };
  return { type: "text", text, encoding };
}

/** `text`, which must be well-formed, as bytes in `encoding`, mark included. */
export function encode(text: string, encoding: Encoding): Uint8Array {
  const mark = marks.find((known) => known.encoding === encoding)?.mark;
  const body = encodeBody(text, encoding);
  return mark ? Buffer.concat([Uint8Array.from(mark), body]) : body;
}

/** `encode` without the mark. */
export function encodeBody(text: string, encoding: Encoding): Uint8Array {
  if (!isUtf16(encoding)) return utf8Bytes(text);
  const body = Buffer.from(text, "utf16le");
  return encoding === "utf-16be" ? body.swap16() : body;
}

export function isUtf16(encoding: Encoding): encoding is "utf-16le" | "utf-16be" {
  return encoding === "utf-16le" || encoding === "utf-16be";
}

function unmarked(bytes: Uint8Array): { readonly encoding: Encoding; readonly body: Uint8Array } {
  const marked = marks.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  return { encoding: marked?.encoding ?? "utf-8", body: bytes.subarray(marked?.mark.length ?? 0) };
}

function kindOf(bytes: Uint8Array, body: Uint8Array, encoding: Encoding): string {
  return isUtf32(body, encoding) ? "UTF-32 text" : binaryKind(bytes);
}

/** The mark of UTF-32 begins like that of UTF-16. */
function isUtf32(body: Uint8Array, encoding: Encoding): boolean {
  return encoding === "utf-16le" && body[0] === 0 && body[1] === 0;
}

function utf16Text(body: Uint8Array, encoding: "utf-16le" | "utf-16be"): string | undefined {
  if (isUtf32(body, encoding)) return undefined;
  try {
    // A second mark is text like any other.
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** From this length on the way over UTF-16 is several times shorter, unless a text is plain ASCII. */
const longText = 32 * 1024;

function utf8Text(body: Uint8Array): string | undefined {
  if (!isUtf8(body)) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (isAscii(bytes)) return bytes.toString("latin1");
  return bytes.length < longText ? bytes.toString("utf8") : transcode(bytes, "utf8", "utf16le").toString("utf16le");
}

function utf8Bytes(text: string): Uint8Array {
  if (text.length < longText) return Buffer.from(text, "utf8");
  try {
    return longUtf8(text);
  } catch {
    // Half a surrogate pair, which the other way replaces. To look for one first takes longer than all the rest.
    return Buffer.from(text, "utf8");
  }
}

/** Code units at a time: small enough to stay in the same memory, which costs more to get than the bytes to convert. */
const pieceUnits = 64 * 1024;

function longUtf8(text: string): Uint8Array {
  const piece = Buffer.allocUnsafe(2 * (pieceUnits + 1));
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < text.length; ) {
    // A pair is not cut in two.
    const end = at + pieceUnits + (isHighSurrogate(text.charCodeAt(at + pieceUnits - 1)) ? 1 : 0);
    const size = piece.write(text.slice(at, end), "utf16le");
    pieces.push(transcode(piece.subarray(0, size), "utf16le", "utf8"));
    at = end;
  }
  return Buffer.concat(pieces);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
