// Where UTF-8 may be cut. Output is kept as bytes and decoded once it is known what stands beside what; only then does a
// character that arrived in two chunks, or that a cut would halve, come out whole.

const longestCharacter = 4;

/** How many bytes at the end begin a character that does not end there: 0–3. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back < longestCharacter && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return characterLength(byte) > back ? back : 0;
  }
  return 0;
}

/** How many bytes at the start belong to a character that began before: 0–3. */
export function orphanedBytes(bytes: Uint8Array): number {
  let count = 0;
  while (count < longestCharacter - 1 && isContinuation(bytes[count] ?? 0)) count += 1;
  return count;
}

/** Invalid bytes become U+FFFD; a byte order mark stays. */
export function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) return "";
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

function characterLength(lead: number): number {
  if (lead >= 0b1111_0000) return 4;
  if (lead >= 0b1110_0000) return 3;
  return lead >= 0b1100_0000 ? 2 : 1;
}
