// What a search is: which bytes are text, what its lines are, and which of them have a hit. Faster ways to the same answer are
// measured against this one.
import { excerpt } from "../text/lines.js";

export interface Hit {
  /** Counted from 1. */
  readonly line: number;
  /** The line without its ending, shortened around the hit when it is long. */
  readonly text: string;
}

/** A NUL among so many first bytes says that a file is not text. */
export const binaryHead = 8 * 1024;
/** Code units of a line that are shown. */
const maxShown = 300;

/** The text of a file that a search looks at: UTF-8 without a NUL in its head. `undefined` for any other. */
export function searchableText(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, binaryHead).includes(0)) return undefined;
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
    const hit = hitIn(line, index + 1, pattern);
    if (hit) hits.push(hit);
  }
  return hits;
}

/** The hit in one line, its ending left off. */
export function hitIn(line: string, number: number, pattern: RegExp): Hit | undefined {
  const start = line.search(pattern);
  return start === -1 ? undefined : { line: number, text: excerpt(line, start, maxShown) };
}
