// Names as git writes them in a patch: as they are, or in quotes with C's escapes when a byte of them is not plain.

const escapes: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

/** `name` as it stands in a header. Bytes beyond ASCII are octal, as git has it by default. */
export function gitName(name: string): string {
  let isPlain = true;
  const written = [...new TextEncoder().encode(name)].map((byte) => {
    const known = escapes[byte];
    if (known === undefined && byte >= 32 && byte < 127) return String.fromCharCode(byte);
    isPlain = false;
    return known ?? `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return isPlain ? written.join("") : `"${written.join("")}"`;
}

/** `name` behind `---` or `+++`. A tab ends one with a space in it, which would otherwise seem to end there. */
export function gitFileName(name: string): string {
  return name.includes(" ") ? `${gitName(name)}\t` : gitName(name);
}
