// What lies between two texts, by lines: how many, and as a unified diff. The library's search is quadratic in the number
// of changed lines (a rewrite of 2,000 lines takes over a second), so a large change is written as one hunk instead.
import type { StructuredPatch } from "diff";
import { splitLines } from "../text/lines.js";

/** Two texts as lines, with the number of lines they share at either end. */
export interface Comparison {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  readonly head: number;
  readonly tail: number;
  /** Lines, common head and tail left out. */
  readonly added: number;
  readonly removed: number;
}

const context = 3;
const maxSearchedLines = 400;

export function compareLines(before: string, after: string): Comparison {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1;
  return { old, fresh, head, tail, added: fresh.length - head - tail, removed: old.length - head - tail };
}

/** The unified diff of what was compared. `path` appears in its headers behind `a/` and `b/`; a new file comes from `/dev/null`. */
export async function unifiedDiff(path: string, isNew: boolean, compared: Comparison): Promise<string> {
  const { structuredPatch, formatPatch, FILE_HEADERS_ONLY } = await import("diff");
  const { old, fresh, added, removed } = compared;
  const names = [isNew ? "/dev/null" : `a/${path}`, `b/${path}`] as const;
  const patch =
    added + removed > maxSearchedLines
      ? oneHunk(names, compared)
      : structuredPatch(...names, old.join(""), fresh.join(""), undefined, undefined, { context });
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

function oneHunk([oldFileName, newFileName]: readonly [string, string], compared: Comparison): StructuredPatch {
  const { old, fresh, head, tail } = compared;
  const start = Math.max(0, head - context);
  const rest = Math.min(tail, context);
  const [oldEnd, freshEnd] = [old.length - tail, fresh.length - tail];
  const lines = [
    ...marked(" ", old.slice(start, head)),
    ...marked("-", old.slice(head, oldEnd)),
    ...marked("+", fresh.slice(head, freshEnd)),
    ...marked(" ", fresh.slice(freshEnd, freshEnd + rest)),
  ];
  const hunk = {
    oldStart: start + 1,
    oldLines: oldEnd + rest - start,
    newStart: start + 1,
    newLines: freshEnd + rest - start,
    lines,
  };
  return { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, "\\ No newline at end of file"],
  );
}
