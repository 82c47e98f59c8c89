// Changes to files over a run, and what is left of them at its end: an edit that was taken back is not a part of the result.
import type { EventOf, FileChange } from "@harness/spec";

export type Edit = FileChange & { readonly diff: string | null };

export interface NetEdit {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** The diffs that lead from what the file was before the run to what it is now, in order. */
  readonly diffs: readonly string[];
}

export function editsOf({ changes, content }: EventOf<"tool.finished">): readonly Edit[] {
  return changes.map((change, index) => ({ ...change, diff: content?.diffs[index] ?? null }));
}

/** One for each path that is not as it was, in the order in which they were first changed. */
export function netEdits(edits: readonly Edit[]): readonly NetEdit[] {
  const paths = [...new Set(edits.map(({ path }) => path))];
  return paths.flatMap((path) =>
    netOf(
      path,
      edits.filter((edit) => edit.path === path),
    ),
  );
}

/** What came after the file was last as it had been before the run. */
function netOf(path: string, edits: readonly Edit[]): readonly NetEdit[] {
  const original = edits[0]?.before;
  const left = edits.slice(edits.findLastIndex(({ after }) => after === original) + 1);
  if (left.length === 0) return [];
  return [
    {
      path,
      added: sum(left.map(({ added }) => added)),
      removed: sum(left.map(({ removed }) => removed)),
      diffs: left.flatMap(({ diff }) => diff ?? []),
    },
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
