// What the caps look at in Linux's /proc: time, memory and descriptors of single processes. Everything is synchronous and
// small; what cannot be read for want of descriptors throws, so that it is not taken for a process that has ended.
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { marksIn, parseStat } from "../proc-table.js";
import type { ProcessRow } from "../process-rows.js";
import { isAtLimit } from "./rlimits.js";

export interface ProcessUsage extends ProcessRow {
  readonly ownCpuMs: number;
  /** Of children that have ended and were waited for, with theirs. */
  readonly childrenCpuMs: number;
  readonly residentBytes: number;
}

export interface MemoryDetail {
  /** What no file stands behind. What is shared is divided by those who share it. */
  readonly ownBytes: number;
  /** Mapped files: the program, its libraries. */
  readonly fileBytes: number;
}

export interface UsageSource {
  pids(): readonly number[];
  /** `undefined` for what is gone, or only waits to be collected. */
  usage(pid: number): ProcessUsage | undefined;
  /** Of its program, cut short; `undefined` for what is gone. */
  name(pid: number): string | undefined;
  /** The marks in its environment, `undefined` when that cannot be seen now. */
  marks(pid: number): readonly string[] | undefined;
  /** Resident memory by kind; `undefined` when that cannot be seen. Dear: some milliseconds for a large process. */
  memory(pid: number): MemoryDetail | undefined;
  openFiles(pid: number): number;
  /** Names of the files that are open for writing and stand at a limit of `bytes`. */
  filesOf(pid: number, bytes: number): readonly string[];
}

/** `root` is `/proc` but in tests. */
export function usageSource(root = "/proc"): UsageSource {
  const { pageBytes, ticksPerSecond } = kernelUnits(bytesOf(`${root}/self/auxv`));

  function usage(pid: number): ProcessUsage | undefined {
    const text = textOf(`${root}/${pid}/stat`);
    const row = parseStat(text);
    if (text === undefined || row === undefined) return undefined;
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ms = (first: number) => ((Number(fields[first]) + Number(fields[first + 1])) * 1_000) / ticksPerSecond;
    return { ...row, ownCpuMs: ms(11), childrenCpuMs: ms(13), residentBytes: Number(fields[21]) * pageBytes };
  }

  return {
    usage,
    pids: () => readdirSync(root).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : [])),
    name: (pid) => textOf(`${root}/${pid}/comm`),
    marks: (pid) => marksIn(textOf(`${root}/${pid}/environ`)),
    memory: (pid) => parseRollup(textOf(`${root}/${pid}/smaps_rollup`)),
    openFiles: (pid) =>
      // Since Linux 6.2 the folder's size is the number of descriptors.
      unlessGone(() => statSync(`${root}/${pid}/fd`).size || readdirSync(`${root}/${pid}/fd`).length) ?? 0,
    filesOf: (pid, bytes) => {
      const names = unlessGone(() => readdirSync(`${root}/${pid}/fd`)) ?? [];
      return names.flatMap((name) => fileOf(`${root}/${pid}/fd/${name}`, bytes) ?? []);
    },
  };
}

/** Reads `/proc/<pid>/smaps_rollup`, `undefined` for one that older kernels write. */
export function parseRollup(text: string | undefined): MemoryDetail | undefined {
  const lines = (text ?? "").matchAll(/^(\w+):\s+(\d+) kB$/gm);
  const values = new Map([...lines].map(([, name, kibibytes]) => [name, Number(kibibytes) * 1_024]));
  const [resident, anonymous] = [values.get("Rss"), values.get("Anonymous")];
  const [own, shared] = [values.get("Pss_Anon"), values.get("Pss_Shmem")];
  if (resident === undefined || anonymous === undefined || own === undefined || shared === undefined) return undefined;
  return { ownBytes: own + shared, fileBytes: Math.max(0, resident - anonymous - shared) };
}

function fileOf(descriptor: string, bytes: number): string | undefined {
  return unlessGone(() => {
    // The link's own mode says for what the file is open.
    if ((lstatSync(descriptor).mode & 0o200) === 0) return undefined;
    const file = statSync(descriptor);
    return file.isFile() && isAtLimit(file.size, bytes) ? `${file.dev}:${file.ino}` : undefined;
  });
}

const pageSizeKey = 6n;
const ticksKey = 17n;

/** From the vector that the kernel hands to every process: pairs of a key and a value. */
export function kernelUnits(vector: Uint8Array | undefined): {
  readonly pageBytes: number;
  readonly ticksPerSecond: number;
} {
  const bytes = Uint8Array.from(vector ?? []);
  const words = new BigUint64Array(bytes.buffer, 0, Math.floor(bytes.length / 8));
  const value = (key: bigint) => Number(words.find((_, index) => index % 2 === 1 && words[index - 1] === key) ?? 0n);
  return { pageBytes: value(pageSizeKey) || 4_096, ticksPerSecond: value(ticksKey) || 100 };
}

function textOf(path: string): string | undefined {
  return bytesOf(path)?.toString("latin1");
}

function bytesOf(path: string): Buffer | undefined {
  return unlessGone(() => readFileSync(path));
}

const goneOrForeign = new Set(["ENOENT", "ESRCH", "ENOTDIR", "EACCES", "EPERM"]);

/** `undefined` for a process that is gone, or another user's. Throws for whatever else prevents a look. */
function unlessGone<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (goneOrForeign.has(String((error as { code?: unknown }).code))) return undefined;
    throw error;
  }
}
