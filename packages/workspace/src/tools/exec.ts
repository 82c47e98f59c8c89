// exec: one program with its arguments, in the sandbox. How it ended and what it printed is the answer, whatever it was.
import type { Argv, Recovery, Tool, ToolContext, ToolResult } from "@harness/spec";
import { z } from "zod";
import { boundaryNotes, commandActs, ending, printed, runCommand, unavailable, wasStopped } from "./exec-command.js";

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
  /** Commands that may run again exactly as they stand: `["make"]` is not `make deploy`. */
  readonly replayableExactly?: readonly Argv[];
}

/** The tool `exec`. */
export function execTool({ replayable = [], replayableExactly = [] }: ExecOptions = {}): Tool<ExecInput> {
  const prefixes = replayable.map((command) => command.trim().split(/\s+/)).filter(([program]) => program !== "");
  const mayRepeat = (argv: readonly string[]) =>
    prefixes.some((words) => beginsWith(argv, words)) ||
    replayableExactly.some((words) => words.length === argv.length && beginsWith(argv, words));
  return {
    name: "exec",
    description:
      "Runs a program in the workspace root and shows its exit code and output. argv is the program and its arguments; " +
      "there is no shell, so pipes, redirections, globs and variables are plain text to the program. " +
      "Nothing can be typed into it. It is killed at the deadline, with everything it started.",
    input,
    effect: "write",
    recovery: ({ argv }): Recovery => (mayRepeat(argv) ? "replayable" : "indeterminate"),
    acts: async ({ argv }) => commandActs(argv),
    invoke: ({ argv }, context) => answer(argv, context),
  };
}

function beginsWith(argv: readonly string[], words: readonly string[]): boolean {
  return words.every((word, index) => argv[index] === word);
}

async function answer(argv: readonly string[], context: ToolContext): Promise<ToolResult> {
  const ran = await runCommand(argv, context);
  if (ran.type === "unavailable") return { text: unavailable(argv), isError: true, changed: false };
  const notes = boundaryNotes(ran.outcome, context.sandbox);
  const text = `${ending(ran.outcome, context.execTimeoutMs)}\n${printed(ran.outcome)}${notes}`;
  return { text, changed: false, ...(wasStopped(ran.outcome) && { isError: true }) };
}
