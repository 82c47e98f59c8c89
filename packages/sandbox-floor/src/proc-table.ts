// The process table of Linux, from /proc. A process is looked at for two things: its row, and whether its environment
// carries the command's mark. The second finds a daemon that left its group, its session and its parent.
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import type { ProcessRow, ProcessTable } from "./process-rows.js";

/** Named for the command, and put into its environment by the floor. */
export const markVariable = "HARNESS_COMMAND";

/** The table under `root`, which is `/proc` but in tests. */
export function procTable(root = "/proc"): ProcessTable {
  const read = reader();
  const row = (pid: number) => parseStat(read(`${root}/${pid}/stat`));
  return {
    row,
    rows: () => pidsIn(root)?.flatMap((pid) => row(pid) ?? []),
    marks: (pid) => marksIn(read(`${root}/${pid}/environ`)),
    isMarked: (pid, mark) => carriesMark(read(`${root}/${pid}/environ`), mark),
    startedSince(first, ranForMs) {
      const last = Number(/ (\d+)\s*$/.exec(read(`${root}/loadavg`) ?? "")?.[1]);
      if (last === first) return [];
      if (Number.isNaN(last)) return pidsIn(root);
      const limit = Number(read(`${root}/sys/kernel/pid_max`));
      const found = candidates({ first, last, limit, ranForMs }, () => pidsIn(root) ?? []);
      return found.filter((pid) => existsSync(`${root}/${pid}`));
    },
  };
}

export interface Span {
  readonly first: number;
  /** The number that the kernel gave out last, to a process or a thread. */
  readonly last: number;
  /** Numbers stay below this, and start again when it is reached. */
  readonly limit: number;
  readonly ranForMs: number;
}

/** More new processes in 1 ms than a machine makes. */
const mostPerMs = 50;
/** Up to so many numbers are tried one by one. Beyond, /proc is listed: that costs about as much, and leaves threads out. */
const fewNumbers = 12;

/**
 * Numbers are given out in order, so what a command started has one between its own and the last. When the order may have
 * started again meanwhile, or cannot be known, every process is a candidate.
 */
export function candidates({ first, last, limit, ranForMs }: Span, all: () => readonly number[]): readonly number[] {
  const isInOrder = last > first && ranForMs * mostPerMs < limit;
  if (!isInOrder) return all();
  if (last - first > fewNumbers) return all().filter((pid) => pid > first && pid <= last);
  return Array.from({ length: last - first }, (_, index) => first + 1 + index);
}

/** Reads `/proc/<pid>/stat`. `undefined` for what is gone, or only waits for its parent to collect it. */
export function parseStat(text: string | undefined): ProcessRow | undefined {
  if (text === undefined) return undefined;
  // The name stands in brackets and may hold anything, brackets and spaces too; what counts comes after the last one.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  const startedAt = fields[19];
  if (startedAt === undefined || state === "Z" || state === "X") return undefined;
  const pid = Number.parseInt(text, 10);
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), startedAt };
}

/** `environ` is `/proc/<pid>/environ`: pairs that end in NUL. A command inside a command carries both marks. */
export function carriesMark(environ: string | undefined, mark: string): boolean | undefined {
  if (environ !== undefined && environ !== "" && !environ.includes(mark)) return false;
  return marksIn(environ)?.includes(mark);
}

/** All marks in an environment, outer ones first; `undefined` for one that cannot be seen. */
export function marksIn(environ: string | undefined): readonly string[] | undefined {
  if (environ === undefined || environ === "") return undefined;
  const start = `${markVariable}=`;
  if (!environ.includes(start)) return [];
  const pairs = environ.split("\0").filter((pair) => pair.startsWith(start));
  return pairs.flatMap((pair) => pair.slice(start.length).split(":"));
}

function pidsIn(root: string): readonly number[] | undefined {
  try {
    return readdirSync(root).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return undefined;
  }
}

/** Reads small files in one go, into the same memory: after every command there is one to read, and often several. */
function reader(): (path: string) => string | undefined {
  const buffer = Buffer.allocUnsafe(16 * 1024);

  return (path) => {
    let file: number | undefined;
    try {
      file = openSync(path, "r");
      let text = "";
      for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
        text += buffer.toString("latin1", 0, size);
      }
      return text;
    } catch {
      // Gone since it was listed, or another user's: neither is ours to end.
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };
}
