// A change as git's binary patch: both sides whole, deflated, in git's base 85. For what is text to us and not to `git apply`, as
// UTF-16 is.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const lineBytes = 52;

/** The id that git gives a file of these bytes; zeros for no file. A binary patch names both sides, and git holds it to them. */
export function gitBlobId(bytes: Uint8Array | null): string {
  if (bytes === null) return "0".repeat(40);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** The body of a binary patch, which leads either way. */
export function gitBinary(before: Uint8Array | null, after: Uint8Array | null): string {
  return `GIT binary patch\n${literal(after)}\n${literal(before)}\n`;
}

function literal(side: Uint8Array | null): string {
  const bytes = side ?? new Uint8Array();
  const packed = deflateSync(bytes);
  const lines = [`literal ${bytes.length}\n`];
  for (let at = 0; at < packed.length; at += lineBytes) lines.push(encodedLine(packed.subarray(at, at + lineBytes)));
  return lines.join("");
}

/** A line says how many bytes it holds by a letter: A to Z for 1 to 26, a to z for 27 to 52. */
function encodedLine(bytes: Uint8Array): string {
  const length = bytes.length <= 26 ? 64 + bytes.length : 70 + bytes.length;
  let line = String.fromCharCode(length);
  for (let at = 0; at < bytes.length; at += 4) line += fiveDigits(bytes.subarray(at, at + 4));
  return `${line}\n`;
}

function fiveDigits(bytes: Uint8Array): string {
  let value = 0;
  for (let index = 0; index < 4; index += 1) value = value * 256 + (bytes[index] ?? 0);
  let text = "";
  for (let index = 0; index < 5; index += 1) {
    text = digits.charAt(value % 85) + text;
    value = Math.floor(value / 85);
  }
  return text;
}
