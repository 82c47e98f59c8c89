// Sets a command's limits in the command itself, before its program starts: by `prlimit` where there is one, else by `sh`,
// which gets the command as arguments and reads none of it. Whether that works here is found out once, by doing it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { systemProgram } from "../system-program.js";
import { type HardLimits, prlimitArguments, type Rlimits, rlimitsFor, shellScript } from "./rlimits.js";

export interface LimitedLaunch {
  readonly file: string;
  readonly arguments: readonly string[];
  /** What the program in front is told its name is. */
  readonly name: string;
}

export interface Limiter {
  readonly found: HardLimits;
  /** What to start in place of `argv`. What it complains of itself begins with `name` and a colon. */
  launch(argv: readonly string[], rlimits: Rlimits, name: string): LimitedLaunch;
  /** The same as an argument list, for a wrapper that starts it. */
  argv(argv: readonly string[], rlimits: Rlimits, name: string): [string, ...string[]];
}

export interface LimiterPrograms {
  readonly prlimit?: string | undefined;
  readonly sh: string;
}

/** What there is here to set limits with; `undefined` when there is nothing. */
export function limiterPrograms(platform: string = process.platform): LimiterPrograms | undefined {
  if (platform === "win32") return undefined;
  const sh = systemProgram("sh");
  return sh === undefined ? undefined : { sh, prlimit: platform === "linux" ? systemProgram("prlimit") : undefined };
}

const run = promisify(execFile);

/** Rejects when neither program sets what it is told. */
export async function openLimiter({ prlimit, sh }: LimiterPrograms): Promise<Limiter> {
  const { found, blockBytes } = await look(sh);
  const shell = byShell(sh, found, blockBytes);
  const candidates = prlimit === undefined ? [shell] : [{ ...shell, launch: byPrlimit(prlimit) }, shell];
  let cause: unknown;
  for (const candidate of candidates) {
    try {
      await prove(candidate, sh, blockBytes);
      return candidate;
    } catch (error) {
      cause = error;
    }
  }
  throw cause;
}

function byPrlimit(prlimit: string): Limiter["launch"] {
  return (argv, rlimits, name) => ({ file: prlimit, arguments: [...prlimitArguments(rlimits), ...argv], name });
}

function byShell(sh: string, found: HardLimits, blockBytes: number): Limiter {
  const words = (argv: readonly string[], rlimits: Rlimits, name: string) => [
    ...["-c", shellScript(rlimits, blockBytes), name],
    ...argv,
  ];
  return {
    found,
    launch: (argv, rlimits, name) => ({ file: sh, arguments: words(argv, rlimits, name), name: "sh" }),
    argv: (argv, rlimits, name) => [sh, ...words(argv, rlimits, name)],
  };
}

const letters = ["t", "n", "f"] as const;

/** Reads the shell's own hard limits, and in what unit it tells them. */
async function look(sh: string): Promise<{ readonly found: HardLimits; readonly blockBytes: number }> {
  const script = `${letters.map((letter) => `ulimit -H -${letter}`).join("; ")}; echo "\${BASH_VERSION-}"`;
  const [cpuSeconds, openFiles, blocks, bash = ""] = (await printed(sh, ["-c", script])).split("\n");
  // The bash of macOS counts in 1,024 bytes, every later one and every other shell as POSIX has it.
  const blockBytes = bash.startsWith("3.") ? 1_024 : 512;
  const found = {
    cpuSeconds: limitOf(cpuSeconds),
    openFiles: limitOf(openFiles),
    fileBytes: limitOf(blocks) * blockBytes,
  };
  return { found, blockBytes };
}

const inside = "ulimit -S -t; ulimit -H -t; ulimit -S -n; ulimit -H -n; ulimit -S -f";

/** Sets limits and has them read from inside. */
async function prove(limiter: Limiter, sh: string, blockBytes: number): Promise<void> {
  const rlimits = rlimitsFor({ maxCpuMs: 5_000, maxOpenFiles: 64, maxFileBytes: 64 * blockBytes }, limiter.found) ?? {};
  const { file, arguments: words } = limiter.launch([sh, "-c", inside], rlimits, "caps");
  const seen = (await printed(file, words)).trim().split("\n").map(limitOf);
  const { cpuSeconds, openFiles, fileBytes } = rlimits;
  const blocks = fileBytes && fileBytes.soft / blockBytes;
  const wanted = [cpuSeconds?.soft, cpuSeconds?.hard, openFiles?.soft, openFiles?.hard, blocks];
  for (const [index, value] of wanted.entries()) {
    if (value === undefined || seen[index] === value) continue;
    throw new Error(`${file} was to set a limit of ${value} and set ${seen[index]}`);
  }
}

async function printed(file: string, words: readonly string[]): Promise<string> {
  const { stdout } = await run(file, [...words], { env: {}, timeout: 10_000, cwd: "/" });
  return stdout;
}

function limitOf(text: string | undefined): number {
  if (text === "unlimited") return Number.POSITIVE_INFINITY;
  if (text !== undefined && /^\d+$/.test(text)) return Number(text);
  throw new Error(`a shell was to tell a limit and told ${JSON.stringify(text)}`);
}
