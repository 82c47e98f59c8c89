// Text of somebody else's for a person to read. What is not printable – controls, marks that turn the direction of writing, what
// takes no room – is spelt out: it could hide, overwrite or rearrange what is being approved.

const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** `text` in one line. */
export function printable(text: string): string {
  return text.replace(unprintable, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`);
}

/** `text` in its own lines, those after the first behind `indent`, so that none can look like a line of ours. */
export function printableLines(text: string, indent: string): string {
  return text.split(/\r?\n/).map(printable).join(`\n${indent}`);
}
