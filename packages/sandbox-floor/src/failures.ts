// The sentences that say why a command never ran. A missing program sounds the same with and without a wrapper in front.
import { SandboxError, type SandboxFailure } from "@harness/spec";

const longestName = 80;

/** `Could not start "npm": <reason>. <advice>` */
export function notStarted(
  kind: SandboxFailure,
  argv: readonly unknown[],
  reason: string,
  advice: string,
  cause?: unknown,
): SandboxError {
  const program = typeof argv[0] === "string" ? JSON.stringify(argv[0].slice(0, longestName)) : "a command";
  return new SandboxError(kind, `Could not start ${program}: ${reason}. ${advice}`, { cause });
}

/** There is no such program here. */
export function unavailable(argv: readonly string[], cause?: unknown): SandboxError {
  const where = /[\\/]/.test(argv[0] ?? "") ? "there is no such file" : "it is in none of the folders of PATH";
  return notStarted("unavailable", argv, `no such program here, ${where}`, "Install it, or use another one.", cause);
}

/** The signal fired before anything was started. */
export function aborted(argv: readonly string[], signal: AbortSignal): SandboxError {
  return notStarted("aborted", argv, "the run was cancelled before", "Nothing was started.", signal.reason);
}

const reasons: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  ENOENT: ["the interpreter that its first line names is not here", "Install that, or call it yourself."],
  EACCES: [
    "the file may not be executed",
    "Set its executable bit, or call the interpreter with the file as argument.",
  ],
  ENOEXEC: ["the file is not a program for this machine", "Use one that was built for it."],
  E2BIG: ["its arguments and environment are larger than the system takes", "Pass the data by a file or on stdin."],
  EAGAIN: ["the user may not have more processes", "End some, or raise the limit."],
  EMFILE: ["this process has no file descriptors left", "Raise the limit, or run less at once."],
  ENFILE: ["the system has no file descriptors left", "Raise the limit, or run less at once."],
  ENOMEM: ["the system has no memory left for a process", "Free some, or run less at once."],
};

/** Puts what the system said about a spawn into words. `hasWrapper`: it was said about the wrapper, not the payload. */
export function spawnFailure(argv: readonly string[], cause: unknown, hasWrapper: boolean): SandboxError {
  const code = String((cause as { code?: unknown } | null)?.code ?? "");
  if (hasWrapper) {
    const advice = "Check that the sandbox backend is installed for this machine.";
    return notStarted(
      "wrapper-failed",
      argv,
      `the wrapper in front of it did not start (${code || cause})`,
      advice,
      cause,
    );
  }
  const [reason, advice] = reasons[code] ?? [`the system refused (${code || cause})`, "Run it by hand to see why."];
  return notStarted("spawn-failed", argv, reason, advice, cause);
}

const longestTail = 1_000;

/** Something was started, and the command behind it was not. `printed` is what the wrapper said. */
export function wrapperFailure(
  argv: readonly unknown[],
  { code, signal }: { readonly code: number | null; readonly signal: string | null },
  printed: string,
): SandboxError {
  const end =
    signal === null
      ? `ended with code ${code} and did not run it`
      : `was ended by ${signal} and has not told that it ran it`;
  const text = printed.trim();
  const tail = text.length > longestTail ? `…${text.slice(-longestTail)}` : text;
  const said = tail === "" ? "it printed nothing" : `it printed: ${tail}`;
  const advice = "Run the wrapper by hand to see why it cannot set up this command.";
  return notStarted("wrapper-failed", argv, `the wrapper in front of it ${end}; ${said}`, advice);
}
