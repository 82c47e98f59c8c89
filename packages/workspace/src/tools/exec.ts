// exec: one program with its arguments, in the sandbox. No shell ever reads the list. However the program ends, that is an
// answer to the model; only a sandbox that could not do its work is an error.
import type { Recovery, SandboxOutcome, Tool, ToolContext, ToolResult } from "@harness/spec";
import { ActRefusedError, isHarnessError } from "@harness/spec";
import { z } from "zod";

const input = z.strictObject({
  argv: z
    .array(z.string())
    .min(1)
    .refine(([program = ""]) => program.trim() !== "", "names no program")
    .describe('The program and its arguments, each a string of its own: ["npm", "test"].'),
});

export type ExecInput = z.infer<typeof input>;

export interface ExecOptions {
  /** Commands that may simply run again after a crash: `"npm test"` is that argv and any longer one that begins so. */
  readonly replayable?: readonly string[];
}

/** The tool `exec`. */
export function execTool({ replayable = [] }: ExecOptions = {}): Tool<ExecInput> {
  const prefixes = replayable.map((command) => command.trim().split(/\s+/)).filter(([program]) => program !== "");
  return {
    name: "exec",
    description:
      "Runs a program in the workspace root and shows its exit code and output. argv is the program and its arguments; " +
      "there is no shell, so pipes, redirections, globs and variables are plain text to the program. " +
      "Nothing can be typed into it. It is killed at the deadline, with everything it started.",
    input,
    effect: "write",
    recovery: ({ argv }): Recovery =>
      prefixes.some((words) => words.every((word, index) => argv[index] === word)) ? "replayable" : "indeterminate",
    async acts({ argv }) {
      const [program] = checked(argv);
      return [{ type: "exec", target: program, argv }];
    },
    invoke: ({ argv }, context) => runCommand(checked(argv), context),
  };
}

function checked(argv: readonly string[]): readonly [string, ...string[]] {
  const [program = "", ...rest] = argv;
  const refuse = (reason: string) => new ActRefusedError("exec", program, reason);
  if (argv.some((word) => word.includes("\0"))) throw refuse("its arguments contain a NUL character");
  if (!argv.every((word) => word.isWellFormed())) throw refuse("its arguments contain one half of a surrogate pair");
  return [program, ...rest];
}

async function runCommand(argv: readonly [string, ...string[]], context: ToolContext): Promise<ToolResult> {
  const { sandbox, workspace, execTimeoutMs, signal, env } = context;
  try {
    const outcome = await sandbox.run({
      argv,
      cwd: workspace,
      timeoutMs: execTimeoutMs,
      signal,
      inherit: env,
      onOutput: (_stream, text) => context.progress(text),
    });
    return observe(outcome, execTimeoutMs);
  } catch (error) {
    if (!isHarnessError(error) || error.code !== "sandbox-failed" || error.kind !== "unavailable") throw error;
    return { text: `${argv[0]} is unavailable: there is no such program here.`, isError: true, changed: false };
  }
}

function observe(outcome: SandboxOutcome, timeoutMs: number): ToolResult {
  const output = [...streamText("stdout", outcome.stdout), ...streamText("stderr", outcome.stderr)];
  const text = [ending(outcome, timeoutMs), ...(output.length > 0 ? output : ["(no output)"])].join("\n");
  // A program that exits with another code than 0 has answered; one that was stopped has not.
  const isError = outcome.capHit !== null || outcome.stopped !== null;
  return { text, changed: false, ...(isError && { isError }) };
}

function ending({ capHit, stopped, exitCode, signal }: SandboxOutcome, timeoutMs: number): string {
  if (capHit) return `Killed: it went over its cap on ${capHit}.`;
  if (stopped === "timeout") return `Timed out after ${timeoutMs / 1000} s and was killed.`;
  if (stopped === "cancelled") return "Cancelled before it ended.";
  return exitCode === null ? `Killed by signal ${signal ?? "unknown"}.` : `Exit code ${exitCode}.`;
}

function streamText(name: string, { text, elidedBytes }: SandboxOutcome["stdout"]): readonly string[] {
  if (text.trim() === "" && elidedBytes === 0) return [];
  const elided = elidedBytes > 0 ? ` (${elidedBytes} bytes left out)` : "";
  return [`${name}${elided}:`, text.replace(/\r?\n$/, "")];
}
