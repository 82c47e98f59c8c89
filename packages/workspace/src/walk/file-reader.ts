// Reads whole files into one buffer, over and over: most files are small, and to allocate for each costs more than to read it.
import { Buffer } from "node:buffer";
import { readSync } from "node:fs";

/**
 * The bytes of the regular file `fd`, which has `size` of them by its own account; valid until the next file is read.
 * Throws the system's error.
 */
export type ReadFile = (fd: number, size: number, maxBytes: number) => Uint8Array | "too large";

const usualBytes = 64 * 1024;

export function fileReader(): ReadFile {
  let buffer = Buffer.allocUnsafeSlow(usualBytes);

  function grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(bytes);
    buffer.copy(larger);
    buffer = larger;
  }

  return (fd, size, maxBytes) => {
    if (size > maxBytes) return "too large";
    if (size >= buffer.length) grow(size + 1);
    for (let length = 0; ; ) {
      if (length === buffer.length) grow(2 * length);
      const count = readSync(fd, buffer, length, buffer.length - length, null);
      length += count;
      if (length > maxBytes) return "too large";
      // A read that comes back short has reached the end, unless the file was said to be longer.
      if (count === 0 || (length < buffer.length && length >= size)) return buffer.subarray(0, length);
    }
  };
}
