// The kernel's own bound on processes, behind the look that ends a command with too many: nothing grows without end between two
// looks. It counts the command's user namespace alone, so it is set inside.
import { readFileSync } from "node:fs";
import type { RungRequest } from "../rung.js";
import type { Tools } from "./tools.js";

/** The kernel counts threads as well, of which a process has a handful. */
const tasksEach = 4;
/** What a runtime starts with: the threads of Node or of a Java machine. */
const tasksBesides = 64;

/** What to put in front of a command's own words; nothing for root, whom the kernel does not hold to it. */
export function processLimit({ command, user }: RungRequest, { prlimit }: Pick<Tools, "prlimit">): readonly string[] {
  const most = command.limits?.maxProcesses;
  const uid = user?.uid ?? process.getuid?.();
  if (prlimit === undefined || most === undefined || uid === 0) return [];
  const tasks = Math.floor(most) * tasksEach + tasksBesides;
  // What holds already is never raised.
  if (!Number.isSafeInteger(tasks) || tasks >= hardLimit(limitsOfThisProcess())) return [];
  return [prlimit, `--nproc=${tasks}:${tasks}`, "--"];
}

/** Of processes, in what the kernel says of a process's limits. */
export function hardLimit(limits: string): number {
  const hard = /^Max processes +\S+ +(\S+)/m.exec(limits)?.[1];
  return hard === undefined || hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard);
}

function limitsOfThisProcess(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
