// What a file is that is not text, told by its first bytes. For a message only: nothing is decided by it.

const kinds: readonly (readonly [kind: string, start: string, at?: number])[] = [
  ["ELF program", "\x7fELF"],
  ["Mach-O program", "\xfe\xed\xfa\xce"],
  ["Mach-O program", "\xfe\xed\xfa\xcf"],
  ["Mach-O program", "\xce\xfa\xed\xfe"],
  ["Mach-O program", "\xcf\xfa\xed\xfe"],
  ["Windows program", "MZ"],
  ["WebAssembly module", "\0asm"],
  ["zip archive", "PK\x03\x04"],
  ["zip archive", "PK\x05\x06"],
  ["gzip archive", "\x1f\x8b"],
  ["bzip2 archive", "BZh"],
  ["xz archive", "\xfd7zXZ\0"],
  ["zstd archive", "\x28\xb5\x2f\xfd"],
  ["PDF document", "%PDF-"],
  ["SQLite database", "SQLite format 3\0"],
  ["PNG image", "\x89PNG\r\n\x1a\n"],
  ["JPEG image", "\xff\xd8\xff"],
  ["GIF image", "GIF8"],
  ["WebP image", "WEBP", 8],
];

/** A name for what `bytes` begin like, else `binary data`. */
export function binaryKind(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 32)).toString("latin1");
  return kinds.find(([, start, at = 0]) => head.startsWith(start, at))?.[0] ?? "binary data";
}
