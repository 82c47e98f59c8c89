// Whether the owner of a lease lives. An owner's name is `<host>:<pid>:<rest>`; of another host's processes nothing is known.
// Every doubt counts as alive: to wait for a lease to lapse is dear, to drive a run twice is dearer. Pids are used again, so
// where the system tells when a process started, that is kept beside the lease and compared.
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

export interface Owners {
  /** What tells `owner`'s process from a later one with its pid; `null` where the system does not say. */
  markOf(owner: string): string | null;
  /** `null` when it cannot be known. `mark` is what `markOf` said when the owner was last known to live. */
  isAlive(owner: string, mark: string | null): boolean | null;
}

export function owners(): Owners {
  let own: string | null | undefined;

  function markOf(owner: string): string | null {
    const pid = pidOf(owner);
    if (pid === undefined) return null;
    if (pid !== process.pid) return markOfProcess(pid);
    own ??= markOfProcess(pid);
    return own;
  }

  function isAlive(owner: string, mark: string | null): boolean | null {
    const pid = pidOf(owner);
    if (pid === undefined) return null;
    if (!exists(pid) || hasEnded(pid)) return false;
    const now = markOf(owner);
    return mark === null || now === null || mark === now;
  }

  return { markOf, isAlive };
}

/** The pid in the name of an owner on this host. */
function pidOf(owner: string): number | undefined {
  const [, host, digits] = /^([^:]+):([1-9]\d{0,9}):/.exec(owner) ?? [];
  return host === hostname() ? Number(digits) : undefined;
}

/** False only when there is no such process: one that may not be signalled lives. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code !== "ESRCH";
  }
}

/** A process that was killed keeps its number until its parent collects it, which in a container may be never. */
function hasEnded(pid: number): boolean {
  const [state] = statOf(pid) ?? [];
  return state === "Z" || state === "X";
}

/** The boot and the tick at which the process started; neither follows the wall clock. */
function markOfProcess(pid: number): string | null {
  const started = statOf(pid)?.[19];
  if (started === undefined) return null;
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${started}`;
  } catch {
    return null;
  }
}

/** What Linux says of a process, from its state on: proc_pid_stat(5). The name before it, in parentheses, may hold anything. */
function statOf(pid: number): readonly string[] | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").pop()?.split(" ");
  } catch {
    return undefined;
  }
}
