// What the tools share that run one program with its arguments in the sandbox. No shell ever reads the list. However the
// program ends, that is something to tell; only a sandbox that could not do its work is an error.
import type { Act, Argv, Sandbox, SandboxOutcome, ToolContext } from "@harness/spec";
import { ActRefusedError, isHarnessError } from "@harness/spec";

export type Ran =
  | { readonly type: "ended"; readonly outcome: SandboxOutcome }
  /** There is no such program. */
  | { readonly type: "unavailable" };

/** The acts of running `argv`: it is judged on its program and on all of it. Throws `ActRefusedError` like `runCommand`. */
export function commandActs(argv: readonly string[]): readonly Act[] {
  const checked = checkedArgv(argv);
  return [{ type: "exec", target: checked[0], argv: checked }];
}

/**
 * Runs `argv` in the workspace root under the contract's deadline. Rejects with what the sandbox could not do, and with
 * `ActRefusedError` for arguments that no program can be given.
 */
export async function runCommand(argv: readonly string[], context: ToolContext): Promise<Ran> {
  const { sandbox, workspace, execTimeoutMs, signal, env } = context;
  const command = checkedArgv(argv);
  try {
    const outcome = await sandbox.run({
      argv: command,
      cwd: workspace,
      timeoutMs: execTimeoutMs,
      signal,
      inherit: env,
      onOutput: (_stream, text) => context.progress(text),
    });
    return { type: "ended", outcome };
  } catch (error) {
    if (!isHarnessError(error) || error.code !== "sandbox-failed" || error.kind !== "unavailable") throw error;
    return { type: "unavailable" };
  }
}

function checkedArgv(argv: readonly string[]): Argv {
  const [program = "", ...rest] = argv;
  const refuse = (reason: string) => new ActRefusedError("exec", program, reason);
  if (argv.some((word) => word.includes("\0"))) throw refuse("its arguments contain a NUL character");
  if (!argv.every((word) => word.isWellFormed())) throw refuse("its arguments contain one half of a surrogate pair");
  return [program, ...rest];
}

/** Says that there is no such program. */
export function unavailable([program]: readonly string[]): string {
  return `${program} is unavailable: there is no such program here.`;
}

/** True when the program was stopped before it could answer. One that exits with another code than 0 has answered. */
export function wasStopped({ capHit, stopped }: SandboxOutcome): boolean {
  return capHit !== null || stopped !== null;
}

/** How the command ended, as a sentence. */
export function ending({ capHit, stopped, exitCode, signal }: SandboxOutcome, timeoutMs: number): string {
  if (capHit) return `Killed: it went over its cap on ${capHit}.`;
  if (stopped === "timeout") return `Timed out after ${timeoutMs / 1000} s and was killed.`;
  if (stopped === "cancelled") return "Cancelled before it ended.";
  return exitCode === null ? `Killed by signal ${signal ?? "unknown"}.` : `Exit code ${exitCode}.`;
}

/** What was printed, a heading before each stream that is not blank; `(no output)` for silence. */
export function printed({ stdout, stderr }: Pick<SandboxOutcome, "stdout" | "stderr">): string {
  const lines = [...streamText("stdout", stdout), ...streamText("stderr", stderr)];
  return lines.length > 0 ? lines.join("\n") : "(no output)";
}

const refusals = /Read-only file system|\bEROFS\b|Permission denied|\bEACCES\b|Operation not permitted|\bEPERM\b/;

/**
 * What the sandbox did about it, a line each: a program that is refused a file often exits with 0, or blames something else.
 * Empty when there is nothing to say.
 */
export function boundaryNotes(outcome: SandboxOutcome, { enforces }: Pick<Sandbox, "enforces">): string {
  const { undone = [], warnings = [], stdout, stderr } = outcome;
  const isRefused = enforces.writes && [stderr.text, stdout.text].some((text) => refusals.test(text));
  const notes = [
    ...(isRefused ? ["The sandbox may have refused it: commands write only where the run lets them."] : []),
    ...undone.map((path) => `${JSON.stringify(path)} is protected: what the command made there was removed again.`),
    ...warnings,
  ];
  return notes.map((note) => `\nNote: ${note}`).join("");
}

function streamText(name: string, { text, elidedBytes }: SandboxOutcome["stdout"]): readonly string[] {
  if (text.trim() === "" && elidedBytes === 0) return [];
  const elided = elidedBytes > 0 ? ` (${elidedBytes} bytes left out)` : "";
  return [`${name}${elided}:`, text.replace(/\r?\n$/, "")];
}
