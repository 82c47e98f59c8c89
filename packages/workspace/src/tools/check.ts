// check: the repository's own checker, asked on demand. It never stays silent: found, clean, skipped and failed are four
// different answers, because a checker that did not run must not pass for one that found nothing.
import type { Argv, Captured, SandboxOutcome, Tool, ToolContext, ToolResult } from "@harness/spec";
import { z } from "zod";
import { renderedMessages } from "./check-cargo.js";
import { commandActs, ending, printed, runCommand, unavailable, wasStopped } from "./exec-command.js";

const input = z.strictObject({});

export type CheckInput = z.infer<typeof input>;

export interface CheckOptions {
  /** The checker. With `--message-format=json` its output is read as cargo's. Default: none, and every call says so. */
  readonly command?: Argv | null;
}

/** The tool `check`. */
export function checkTool({ command = null }: CheckOptions = {}): Tool<CheckInput> {
  const checker = command ? ` (${command.join(" ")})` : "";
  return {
    name: "check",
    description:
      `Runs the repository's checker${checker} in the workspace root and shows what it finds: type errors and what does not ` +
      "compile. It takes no arguments, and always says whether it found something, found nothing or could not run.",
    input,
    effect: "write",
    recovery: "replayable",
    acts: async () => (command ? commandActs(command) : []),
    invoke: (_input, context) => (command ? answer(command, context) : Promise.resolve(skipped)),
  };
}

const skipped: ToolResult = {
  text: "Skipped: no checker is known for this repository. What builds or tests it can be run with exec.",
  changed: false,
};

async function answer(argv: Argv, context: ToolContext): Promise<ToolResult> {
  const ran = await runCommand(argv, context);
  if (ran.type === "unavailable") return failed(unavailable(argv));
  const { outcome } = ran;
  if (wasStopped(outcome) || outcome.exitCode === null) {
    return failed(`${ending(outcome, context.execTimeoutMs)}\n${printed(outcome)}`);
  }
  const name = argv.join(" ");
  const { text, elidedBytes } = findings(argv, outcome);
  if (text.trim() === "" && elidedBytes === 0) {
    return outcome.exitCode === 0
      ? { text: `Clean: ${name} found nothing.`, changed: false }
      : failed(`${name} ended with exit code ${outcome.exitCode} and said nothing.`);
  }
  const elided = elidedBytes > 0 ? `, ${elidedBytes} bytes left out` : "";
  const heading = `Findings of ${name} (exit code ${outcome.exitCode}${elided}):`;
  return { text: `${heading}\n${text.trim() === "" ? "(none in what is left)" : text.trimEnd()}`, changed: false };
}

function failed(reason: string): ToolResult {
  return { text: `Failed: ${reason}`, isError: true, changed: false };
}

/** What a checker says for people to read: on stderr, or on stdout when it says nothing there. */
function findings(argv: Argv, { stdout, stderr, exitCode }: SandboxOutcome): Captured {
  if (argv.some((word) => word.startsWith("--message-format=json"))) {
    const text = renderedMessages(stdout.text);
    // Without a message it may have failed before it compiled anything, which only stderr tells.
    if (text !== "" || exitCode === 0) return { text, elidedBytes: stdout.elidedBytes };
  }
  return stderr.text.trim() === "" ? stdout : stderr;
}
