// From a command to what the operating system is asked for: which file, which arguments, which environment. The program
// is looked for before a wrapper is put in front, and whatever cannot be right stops here, with nothing started.
import { isAbsolute } from "node:path";
import { isHarnessError, type SandboxCommand, type SandboxError } from "@harness/spec";
import { checkCommand } from "./check-command.js";
import { commandEnvironment } from "./command-environment.js";
import { notStarted, unavailable } from "./failures.js";
import { findProgram } from "./find-program.js";
import { markVariable } from "./proc-table.js";
import { proxies } from "./variable-names.js";

/** What a wrapper is made for. */
export interface WrapRequest {
  readonly command: SandboxCommand;
  /** The command's program as found: absolute, or its name where there is no PATH to search. */
  readonly program: string;
}

export interface Launch {
  /** The command's own, for messages and the outcome. */
  readonly argv: readonly string[];
  readonly file: string;
  readonly arguments: readonly string[];
  /** What the program is told its name is. */
  readonly name: string;
  readonly hasWrapper: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Found again in the environment of whatever the command starts. */
  readonly mark: string;
}

export interface LaunchOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly secrets: readonly string[];
  readonly mark: string;
  readonly platform?: string;
  readonly wrap?: ((request: WrapRequest) => WrappedArgv | Promise<WrappedArgv>) | undefined;
}

/** The wrapper's absolute path, its arguments, then the command's argv. */
export type WrappedArgv = readonly [string, ...string[]];

/** Throws `SandboxError` for a command that cannot be started. */
export async function prepareLaunch(command: SandboxCommand, options: LaunchOptions): Promise<Launch> {
  const { mark, wrap, platform = process.platform } = options;
  checkCommand(command);
  const { argv, cwd } = command;
  const env = environmentFor(command, options);
  const program = findProgram(argv[0], { cwd, env, platform });
  if (program === undefined) throw unavailable(argv);
  if (platform === "win32" && /\.(bat|cmd)$/i.test(program)) throw batchFile(argv);

  const whole = wrap === undefined ? argv : await wrapped({ command, program }, wrap);
  const hasWrapper = wrap !== undefined;
  const file = hasWrapper ? whole[0] : program;
  return { argv: [...argv], file, arguments: whole.slice(1), name: whole[0], hasWrapper, cwd, env, mark };
}

function environmentFor(command: SandboxCommand, options: LaunchOptions): Record<string, string> {
  const { environment, secrets, mark, platform = process.platform } = options;
  const { inherit = [], env: extra = {}, egress = "deny" } = command;
  // A proxy is of no use to what may not dial; one that the caller sets itself, in `env`, is meant.
  const names = egress === "allow" ? inherit : inherit.filter((name) => !proxies.has(name.toUpperCase()));
  const variables = commandEnvironment(environment, { inherit: names, secrets, extra, platform });
  // A command that is a harness itself has commands of its own: they carry the marks of both.
  const outer = environment[markVariable];
  variables[markVariable] = outer ? `${outer}:${mark}` : mark;
  return variables;
}

async function wrapped(request: WrapRequest, wrap: NonNullable<LaunchOptions["wrap"]>): Promise<WrappedArgv> {
  const { argv } = request.command;
  let whole: WrappedArgv;
  try {
    whole = await wrap(request);
  } catch (cause) {
    if (isHarnessError(cause)) throw cause;
    const reason = `the wrapper in front of it could not be made (${cause instanceof Error ? cause.message : cause})`;
    throw notStarted("setup-failed", argv, reason, "Nothing was started.", cause);
  }
  if (isAbsolute(whole[0])) return whole;
  const reason = `the wrapper ${JSON.stringify(whole[0])} is not an absolute path`;
  throw notStarted(
    "setup-failed",
    argv,
    reason,
    "A wrapper is never looked for in the command's PATH; resolve it first.",
  );
}

function batchFile(argv: readonly string[]): SandboxError {
  const reason = "it is a batch file, which only a shell can run, and a shell would read the arguments anew";
  return notStarted("setup-failed", argv, reason, "Call the program that it calls, such as node with a script.");
}
