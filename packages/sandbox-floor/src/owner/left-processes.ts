// What a harness that was killed left running: its commands go on, because nobody was there to end them. The mark of each says whose
// it is, so the next harness of the same user finds them and ends them. Every doubt counts as alive, as with working folders.
import type { ProcessRow, ProcessTable } from "../process-rows.js";
import { isGone, namePrefix, type Owner, ownerOf, thisOwner } from "./owner.js";

/** Marks of one process, no two alike. They are in the form of the names of working folders, which say whose they are. */
export function marksOf(owner: Owner): () => string {
  let count = 0;
  return () => {
    count += 1;
    return namePrefix(owner) + count.toString(36).padStart(6, "0");
  };
}

/** A process that is being made when it is looked for is found at the next look. */
const mostLooks = 5;

/** Ends what commands of processes that are gone have left running, as far as it can be seen; returns how many that were. */
export function endLeftProcesses(
  table: ProcessTable,
  self: Owner = thisOwner(table),
  end: (pid: number) => void = kill,
): number {
  // A harness may itself be what another one left: it and those it belongs to are not to end themselves.
  const ours = new Set(table.marks?.(self.pid));
  const verdicts = new Map<string, boolean>();
  const isLeft = (mark: string) => {
    const owner = ours.has(mark) ? undefined : ownerOf(mark);
    const verdict = verdicts.get(mark) ?? (owner !== undefined && isGone(owner, self, table));
    verdicts.set(mark, verdict);
    return verdict;
  };
  const found = () =>
    (table.rows() ?? []).filter((row) => row.pid !== self.pid && table.marks?.(row.pid)?.some(isLeft));
  const ended = new Set<string>();
  for (let look = 0; look < mostLooks; look += 1) {
    const left = found().filter((row) => !ended.has(nameOf(row)));
    if (left.length === 0) break;
    for (const row of left) {
      ended.add(nameOf(row));
      end(row.pid);
    }
  }
  return ended.size;
}

function nameOf({ pid, startedAt }: ProcessRow): string {
  return `${pid} ${startedAt}`;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended, or is another user's by now.
  }
}
