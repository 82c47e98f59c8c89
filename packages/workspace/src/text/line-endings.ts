// Line endings are the file's, not the model's: what a model writes takes the style of the file it goes into.

/** True when `text` has line endings and every one is CRLF. */
export function isCrlf(text: string): boolean {
  return text.includes("\n") && !/(?:^|[^\r])\n/.test(text);
}

/** `text` with every line ending as CRLF. */
export function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

/** `insert` with the ending that the line at `index` of `text` has; as it is when `text` has no line ending at all. */
export function inStyleOf(text: string, index: number, insert: string): string {
  const next = text.indexOf("\n", index);
  const ending = next === -1 ? text.lastIndexOf("\n") : next;
  if (ending === -1) return insert;
  const lf = insert.replaceAll("\r\n", "\n");
  return text[ending - 1] === "\r" ? toCrlf(lf) : lf;
}
