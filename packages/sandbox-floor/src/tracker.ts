// Knows who belongs to one command, look after look: what it has seen stays known when parents are gone and environments are
// cleared, and who was found to be a stranger is not examined again.
import { membersOf, type Root } from "./members.js";
import type { ProcessRow, ProcessTable } from "./process-rows.js";

export interface Look {
  /** Somebody is in the group that the direct child leads. */
  readonly hasGroup: boolean;
  /** Pids of those who left it, furthest from the root first. */
  readonly strays: readonly number[];
}

export interface Tracker {
  /** `undefined` when the table cannot be read, which proves nothing. */
  look(): Look | undefined;
  /** Told of members that somebody else has seen. */
  learn(rows: readonly ProcessRow[]): void;
  /** Whether this one process belongs to the command: by its mark, its session, or because it was seen to. */
  isOurs(pid: number): boolean;
}

export function tracker(root: Root, mark: string, table: ProcessTable): Tracker {
  const known = new Map<number, string>();
  const strangers = new Map<number, string>();

  function isMarked({ pid, startedAt }: ProcessRow): boolean {
    if (strangers.get(pid) === startedAt) return false;
    const verdict = table.isMarked(pid, mark);
    // What cannot be seen now may be seen at the next look: a process that starts a program has no environment for a moment.
    if (verdict === false) strangers.set(pid, startedAt);
    return verdict === true;
  }

  function learn(rows: readonly ProcessRow[]): void {
    for (const row of rows) known.set(row.pid, row.startedAt);
  }

  function isOurs(pid: number): boolean {
    if (pid === process.pid) return false;
    if (table.isMarked(pid, mark) === true) return true;
    const row = table.row(pid);
    return row !== undefined && (row.session === root.pid || known.get(pid) === row.startedAt);
  }

  return {
    learn,
    isOurs,
    look() {
      const rows = table.rows();
      if (rows === undefined) return undefined;
      const members = membersOf(rows, { root, known, isMarked, self: process.pid });
      learn(members);
      const strays = members.filter((row) => row.group !== root.pid).map((row) => row.pid);
      return { hasGroup: strays.length < members.length, strays };
    },
  };
}
