// Bytes as text, and back to the same bytes. Nothing is guessed: UTF-8, or what a byte order mark says; everything else
// is binary, because text read wrongly would be written back wrongly.
import { binaryKind } from "./binary-kind.js";

export type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";

export type Decoded =
  /** `text` without the byte order mark. */
  | { readonly type: "text"; readonly text: string; readonly encoding: Encoding }
  /** `kind` as people name it: `PNG image`. */
  | { readonly type: "binary"; readonly kind: string };

const marks: readonly { readonly encoding: Encoding; readonly mark: readonly number[] }[] = [
  { encoding: "utf-8-bom", mark: [0xef, 0xbb, 0xbf] },
  { encoding: "utf-16le", mark: [0xff, 0xfe] },
  { encoding: "utf-16be", mark: [0xfe, 0xff] },
];

/** Reads `bytes`. `encode` gives the same bytes back. */
export function decode(bytes: Uint8Array): Decoded {
  const marked = marks.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  const encoding = marked?.encoding ?? "utf-8";
  const body = bytes.subarray(marked?.mark.length ?? 0);
  // The mark of UTF-32 begins like that of UTF-16.
  if (encoding === "utf-16le" && body[0] === 0 && body[1] === 0) return { type: "binary", kind: "UTF-32 text" };
  try {
    const label = encoding === "utf-8-bom" ? "utf-8" : encoding;
    // A second mark is text like any other.
    return { type: "text", text: new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(body), encoding };
  } catch {
    return { type: "binary", kind: binaryKind(bytes) };
  }
}

/** `text`, which must be well-formed, as bytes in `encoding`, mark included. */
export function encode(text: string, encoding: Encoding): Uint8Array {
  const mark = marks.find((known) => known.encoding === encoding)?.mark ?? [];
  const body = encoding.startsWith("utf-16") ? Buffer.from(text, "utf16le") : Buffer.from(text, "utf8");
  if (encoding === "utf-16be") body.swap16();
  return Buffer.concat([Uint8Array.from(mark), body]);
}
