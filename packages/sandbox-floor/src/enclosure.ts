// A pid namespace of a command's own, seen from outside: its first process, all others below that one, and in front of it the
// wrapper's. The number of the first is taken on trust from nobody: it is killed, so it must descend from the wrapper.
import type { Root } from "./members.js";
import type { ProcessRow, ProcessTable } from "./process-rows.js";

export interface Enclosure {
  /** Its end is the end of all in the namespace. */
  readonly init: number;
  /** The wrapper's, from the first process's parent up to the root. */
  readonly front: ReadonlySet<number>;
  isAlive(): boolean;
  /** Those in the namespace, `undefined` when none is left or the table cannot be read. */
  inside(): readonly number[] | undefined;
}

/** More processes than a wrapper has one above the other. */
const longestFront = 16;

/** `undefined` unless `init` runs and descends from `root`. */
export function enclosureOf(root: Root, init: number, table: ProcessTable): Enclosure | undefined {
  const first = Number.isSafeInteger(init) && init > 1 ? table.row(init) : undefined;
  const front = first && frontOf(first, root, table);
  if (first === undefined || front === undefined) return undefined;
  // Numbers are used again.
  const isFirst = (row: ProcessRow | undefined) => row?.pid === init && row.startedAt === first.startedAt;

  return {
    init,
    front,
    isAlive: () => isFirst(table.row(init)),
    inside() {
      const rows = table.rows();
      return rows?.some(isFirst) ? [...belowIn(rows, init)] : undefined;
    },
  };
}

function frontOf(first: ProcessRow, root: Root, table: ProcessTable): ReadonlySet<number> | undefined {
  const front: number[] = [];
  if (root.hasExited) return undefined;
  // The bound is also for rows read while numbers changed hands, which may lead in a circle.
  for (let at: ProcessRow | undefined = first; at && front.length < longestFront; at = table.row(at.parent)) {
    front.push(at.parent);
    if (at.parent === root.pid) return new Set(front);
  }
  return undefined;
}

/** Who is orphaned in a namespace is handed to its first process, so nobody in it has a parent elsewhere. */
function belowIn(rows: readonly ProcessRow[], init: number): ReadonlySet<number> {
  const below = new Set([init]);
  // A set grows while it is walked, and the walk reaches what was added.
  for (const parent of below) for (const { pid, parent: of } of rows) if (of === parent) below.add(pid);
  return below;
}
