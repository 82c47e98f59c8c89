// What the kernel is told about one command: limits of each of its processes, set before the program starts. A pure
// translation. The soft limit stands below the hard one: at the hard one the kernel kills without saying why.
import type { SandboxLimits } from "@harness/spec";

/** Where the kernel signals or refuses, and what a process can raise that to at most. */
export interface Rlimit {
  readonly soft: number;
  readonly hard: number;
}

/** Absent: left as it is. Core files are always off. */
export interface Rlimits {
  /** Of each process, user and system time. SIGXCPU at the soft limit, SIGKILL at the hard one. */
  readonly cpuSeconds?: Rlimit;
  /** Of each process. */
  readonly openFiles?: Rlimit;
  /** Of each file that is written. SIGXFSZ, or `EFBIG` for who ignores it. */
  readonly fileBytes?: Rlimit;
}

/** The hard limits that this process was started with; `Infinity` for none. */
export interface HardLimits {
  readonly cpuSeconds: number;
  readonly openFiles: number;
  readonly fileBytes: number;
}

/** The limits for a command, `undefined` when none of its caps needs one. */
export function rlimitsFor(limits: SandboxLimits | undefined, found: HardLimits): Rlimits | undefined {
  const { maxCpuMs, maxOpenFiles, maxFileBytes } = limits ?? {};
  const cpuSeconds = below(found.cpuSeconds, maxCpuMs === undefined ? undefined : Math.ceil(maxCpuMs / 1_000));
  const openFiles = below(found.openFiles, maxOpenFiles);
  const fileBytes = below(found.fileBytes, maxFileBytes);
  if (!cpuSeconds && !openFiles && !fileBytes) return undefined;
  return { ...(cpuSeconds && { cpuSeconds }), ...(openFiles && { openFiles }), ...(fileBytes && { fileBytes }) };
}

/** A limit that the system holds more tightly already is left to it. */
function below(found: number, cap: number | undefined): Rlimit | undefined {
  if (cap === undefined) return undefined;
  const soft = Math.max(1, Math.floor(cap));
  return soft < found && Number.isSafeInteger(soft) ? { soft, hard: soft + 1 } : undefined;
}

/** For util-linux's `prlimit`, up to the command. */
export function prlimitArguments({ cpuSeconds, openFiles, fileBytes }: Rlimits): readonly string[] {
  const option = (name: string, limit: Rlimit | undefined) =>
    limit === undefined ? [] : [`--${name}=${limit.soft}:${limit.hard}`];
  return [
    "--core=0",
    ...option("cpu", cpuSeconds),
    ...option("nofile", openFiles),
    ...option("fsize", fileBytes),
    "--",
  ];
}

/**
 * For `sh -c`: sets the limits and becomes the command, which it is given as its arguments, or ends with a message.
 * `blockBytes` is the shell's unit of a file's size; a limit is rounded up to it.
 */
export function shellScript({ cpuSeconds, openFiles, fileBytes }: Rlimits, blockBytes: number): string {
  // The soft limit first: a hard one below the soft one is refused.
  const pair = (letter: string, limit: Rlimit | undefined, unit = 1) =>
    limit === undefined
      ? []
      : [
          `ulimit -S -${letter} ${Math.ceil(limit.soft / unit)}`,
          `ulimit -H -${letter} ${Math.ceil(limit.hard / unit)}`,
        ];
  const steps = [
    ...["ulimit -c 0", ...pair("t", cpuSeconds), ...pair("n", openFiles), ...pair("f", fileBytes, blockBytes)],
    'exec "$@"',
  ];
  return steps.join(" && ");
}

const largestBlockBytes = 1_024;

/** Whether a file of `size` can be one that a limit of `bytes` has stopped: a shell sets it in blocks, rounded up. */
export function isAtLimit(size: number, bytes: number): boolean {
  return size >= bytes && size - bytes < largestBlockBytes;
}
