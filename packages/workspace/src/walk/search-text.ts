// Looks for a pattern in one file's text, line by line.
import { excerpt } from "../text/lines.js";

export interface Hit {
  /** Counted from 1. */
  readonly line: number;
  /** The line without its ending, shortened around the hit when it is long. */
  readonly text: string;
}

/** Code units of a line that are shown. */
const maxShown = 300;

/** The text of a file that a search looks at: UTF-8 without a NUL in its first 8 KiB. `undefined` for any other. */
export function searchableText(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, 8 * 1024).includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The lines of `text` in which `pattern` (neither global nor sticky) is found, each once. */
export function searchText(text: string, pattern: RegExp): readonly Hit[] {
  const hits: Hit[] = [];
  const lines = text.split(/\r?\n/);
  // What follows the last newline is no line unless there is something in it.
  if (lines.at(-1) === "") lines.pop();
  for (const [index, line] of lines.entries()) {
    const start = line.search(pattern);
    if (start !== -1) hits.push({ line: index + 1, text: excerpt(line, start, maxShown) });
  }
  return hits;
}
