// Errors, as they reach a person: one or two sentences, and a stack only for those who ask.
import { isHarnessError } from "@harness/spec";
import { exitCodeOfError } from "./exit-codes.js";
import type { Terminal } from "./process-terminal.js";
import { paintFor } from "./render/paint.js";
import { printable } from "./render/printable.js";

/** Says on standard error what went wrong. Returns the exit code for it. */
export function reportFailure({ err, env }: Terminal, error: unknown): number {
  const { red, dim } = paintFor(err, env);
  const message = error instanceof Error ? error.message : String(error);
  err.write(`${red("error:")} ${printable(message)}\n`);
  if (env.HARNESS_DEBUG && error instanceof Error) err.write(`${dim(printable(stackOf(error)))}\n`);
  else if (!isHarnessError(error))
    err.write("This was not expected. Set HARNESS_DEBUG=1 to see where it comes from.\n");
  return exitCodeOfError(error);
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : "";
  return `${error.stack ?? error.message}${cause}`;
}
