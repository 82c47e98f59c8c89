// The bytes that a change left, told from the bytes it found and its diff. Only what has the digest of the record is handed out.
import { type Digest, sha256 } from "@harness/spec";
import { patchText } from "../patch/patch-text.js";
import { decode, type Encoding, encode } from "../text/decode.js";

/** A file that a run made may begin with a mark that its diff does not show. */
const encodings: readonly Encoding[] = ["utf-8", "utf-8-bom", "utf-16le", "utf-16be"];

/** What `diff` made of `before` (`null` for no file), if that has the digest `after`. */
export function reapply(before: Uint8Array | null, diff: string, after: Digest): Uint8Array | undefined {
  const found = decode(before ?? new Uint8Array());
  if (found.type === "binary") return undefined;
  const text = patched(found.text, diff);
  if (text === undefined) return undefined;
  for (const encoding of new Set([found.encoding, ...encodings])) {
    const bytes = encode(text, encoding);
    if (sha256(bytes) === after) return bytes;
  }
  return undefined;
}

function patched(text: string, diff: string): string | undefined {
  // A diff without a hunk leaves the text as it is.
  if (!/^@@ /m.test(diff)) return text;
  const result = patchText(text, diff);
  return result.type === "patched" ? result.text : undefined;
}
