// What must hold before anything is started. A command comes from a model by way of a tool, so types prove nothing here;
// a limit that is not a number must not become no limit.
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { SandboxCommand } from "@harness/spec";
import { notStarted } from "./failures.js";

/** Throws `SandboxError` `setup-failed` for a command that cannot be started as it stands. */
export function checkCommand(command: SandboxCommand): void {
  const problem =
    argvProblem(command.argv) ??
    folderProblem(command.cwd) ??
    environmentProblem(command.env ?? {}) ??
    inputProblem(command.stdin) ??
    limitProblem({ timeoutMs: command.timeoutMs, ...command.limits });
  if (problem === undefined) return;
  const argv = Array.isArray(command.argv) ? command.argv : [];
  throw notStarted("setup-failed", argv, problem[0], problem[1]);
}

type Problem = readonly [reason: string, advice: string] | undefined;

function argvProblem(argv: unknown): Problem {
  if (!Array.isArray(argv) || argv.length === 0) {
    return ["its argument list is empty", "Give the program first, then its arguments."];
  }
  for (const [index, argument] of argv.entries()) {
    const place = `argument ${index} of its list`;
    if (typeof argument !== "string") return [`${place} is not a string`, "Give every argument as a string."];
    if (argument.includes("\0")) return [`${place} holds a NUL character`, "No program can be given one; take it out."];
  }
  return argv[0].trim() === "" ? ["the name of its program is blank", "Give the program first."] : undefined;
}

function folderProblem(cwd: unknown): Problem {
  const advice = "Give an absolute folder that exists.";
  if (typeof cwd !== "string" || cwd.includes("\0")) return ["its working folder is not a path", advice];
  if (!isAbsolute(cwd)) return [`its working folder ${JSON.stringify(cwd)} is not absolute`, advice];
  try {
    if (statSync(cwd).isDirectory()) return undefined;
    return [`its working folder ${JSON.stringify(cwd)} is a file`, advice];
  } catch (error) {
    const code = (error as { code?: string }).code;
    return [`its working folder ${JSON.stringify(cwd)} cannot be entered (${code})`, advice];
  }
}

function environmentProblem(env: Readonly<Record<string, unknown>>): Problem {
  for (const [name, value] of Object.entries(env)) {
    const variable = `the variable ${JSON.stringify(name)}`;
    if (name === "" || /[=\0]/.test(name)) return [`${variable} is not a name`, "Use a name without = and NUL."];
    if (typeof value !== "string") return [`${variable} is not a string`, "Give every value as a string."];
    if (value.includes("\0")) return [`${variable} holds a NUL character`, "Take it out."];
  }
  return undefined;
}

function inputProblem(stdin: unknown): Problem {
  if (stdin === undefined || typeof stdin === "string" || stdin instanceof Uint8Array) return undefined;
  return ["its standard input is neither text nor bytes", "Give a string or a Uint8Array, or leave it out."];
}

function limitProblem(limits: Readonly<Record<string, unknown>>): Problem {
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined || (typeof value === "number" && value > 0)) continue;
    return [`${name} is ${String(value)}`, "Give a number above 0, or leave it out."];
  }
  return undefined;
}
