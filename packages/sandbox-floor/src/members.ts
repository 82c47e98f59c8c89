// Which processes belong to a command: a decision over rows, without any effect. A process belongs by its group, its
// session, its mark or its parent, or because it was seen to belong before and has not ended since.
import type { ProcessRow } from "./process-rows.js";

export interface Root {
  readonly pid: number;
  /** The direct child was collected, so its number may be a stranger's by now. */
  readonly hasExited: boolean;
}

export interface Belonging {
  readonly root: Root;
  /** Pid to start, of those seen before. */
  readonly known: ReadonlyMap<number, string>;
  readonly isMarked: (row: ProcessRow) => boolean;
  /** Never a member: the harness itself. */
  readonly self: number;
}

/** The command's processes, those furthest from the root first. */
export function membersOf(rows: readonly ProcessRow[], belonging: Belonging): readonly ProcessRow[] {
  const { root, self } = belonging;
  const others = rows.filter((row) => row.pid !== self && row.pid > 1);
  // A number in use as a group's or session's name is not given out, so a process that has it is proof that ours are gone.
  const isReused = root.hasExited && others.some((row) => row.pid === root.pid);
  const isSeed = (row: ProcessRow) =>
    belonging.known.get(row.pid) === row.startedAt ||
    (!isReused && (row.pid === root.pid || row.group === root.pid || row.session === root.pid)) ||
    belonging.isMarked(row);

  const members = withDescendants(others.filter(isSeed), others);
  const byPid = new Map(members.map((row) => [row.pid, row]));
  const depths = new Map(members.map((row) => [row, depthOf(row, byPid)]));
  return members.sort((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0));
}

function withDescendants(seeds: readonly ProcessRow[], rows: readonly ProcessRow[]): ProcessRow[] {
  const found = new Set(seeds);
  // A set grows while it is walked, and the walk reaches what was added.
  for (const parent of found) {
    for (const row of rows) if (row.parent === parent.pid) found.add(row);
  }
  return [...found];
}

/** Steps up to the nearest process that is no member. The bound is for a table read while numbers changed hands. */
function depthOf(row: ProcessRow, members: ReadonlyMap<number, ProcessRow>): number {
  let depth = 0;
  for (let at = members.get(row.parent); at && depth < members.size; at = members.get(at.parent)) depth += 1;
  return depth;
}
