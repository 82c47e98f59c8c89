// Text in the units of its file: a character for each byte of UTF-8, and for each code unit of UTF-16. Such a string is made
// much faster than the real one, and every place in it is a place in the file. It is nothing to show to anyone.
import { isUtf16, type TextBytes } from "./decode.js";

/** What is in a file, as units. */
export function unitsOf({ body, encoding }: Pick<TextBytes, "body" | "encoding">): string {
  const bytes = bufferOf(body);
  if (!isUtf16(encoding)) return bytes.toString("latin1");
  return (encoding === "utf-16be" ? Buffer.from(bytes).swap16() : bytes).toString("utf16le");
}

/** The same memory, with what Node can do with bytes. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
