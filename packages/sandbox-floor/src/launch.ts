// From a command to what the operating system is asked for: which file, which arguments, which environment. The program
// is looked for before anything is put in front, and whatever cannot be right stops here, with nothing started. In front
// may be a wrapper, and behind that, next to the program, what sets the command's limits.
import { randomUUID } from "node:crypto";
import { isHarnessError, type SandboxCommand, type SandboxError } from "@harness/spec";
import type { LimitedLaunch, Limiter } from "./caps/limiter.js";
import { type Rlimits, rlimitsFor } from "./caps/rlimits.js";
import { checkCommand } from "./check-command.js";
import { commandEnvironment } from "./command-environment.js";
import { notStarted, unavailable } from "./failures.js";
import { findProgram } from "./find-program.js";
import { markVariable } from "./proc-table.js";
import { proxies } from "./variable-names.js";
import type { Wrapped, WrappedArgv } from "./wrapped.js";
import { checkWrapper, type Wrapper, wrapperOf } from "./wrapper.js";

/** What a wrapper is made for. */
export interface WrapRequest {
  /** As it was given; but what sets its limits stands in front of its `argv`, unless the backend sets them itself. */
  readonly command: SandboxCommand;
  /** The command's program as found: absolute, or its name where there is no PATH to search. */
  readonly program: string;
  /** Limits of each process of the command, clamped to this process's own. Absent when no cap needs one. */
  readonly rlimits?: Rlimits | undefined;
}

export interface Launch {
  /** The command's own, for messages and the outcome. */
  readonly argv: readonly string[];
  /** The command's own program, as found. */
  readonly program: string;
  readonly file: string;
  readonly arguments: readonly string[];
  /** What the program is told its name is. */
  readonly name: string;
  /** What stands in front of it. Whoever has the launch finishes it. */
  readonly wrapper?: Wrapper | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Found again in the environment of whatever the command starts. */
  readonly mark: string;
  /** Set on each of its processes. */
  readonly rlimits?: Rlimits | undefined;
  /** What the program that sets them begins its complaints with; absent when none of ours does. */
  readonly limiterName?: string | undefined;
}

/** Puts something in front of a command. */
export type Wrap = (request: WrapRequest) => WrappedArgv | Wrapped | Promise<WrappedArgv | Wrapped>;

export interface LaunchOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly secrets: readonly string[];
  readonly mark: string;
  readonly platform?: string;
  readonly wrap?: Wrap | undefined;
  /** What sets limits here; absent for a command that has none, and where there is nothing to set them with. */
  readonly limiter?: Limiter | undefined;
  /** The wrapper sets the limits itself. */
  readonly isLimitedByWrapper?: boolean;
}

/** Throws `SandboxError` for a command that cannot be started. */
export async function prepareLaunch(command: SandboxCommand, options: LaunchOptions): Promise<Launch> {
  const { mark, wrap, platform = process.platform } = options;
  checkCommand(command);
  const { argv, cwd } = command;
  const env = environmentFor(command, options);
  const program = findProgram(argv[0], { cwd, env, platform });
  if (program === undefined) throw unavailable(argv);
  if (platform === "win32" && /\.(bat|cmd)$/i.test(program)) throw batchFile(argv);

  const front = frontOf(command, options);
  const common = { argv: [...argv], program, cwd, env, mark, rlimits: front.rlimits, limiterName: front.limit?.name };
  // To a shell's `exec` such a name is an option.
  const inner: SandboxCommand["argv"] = argv[0].startsWith("-") ? [program, ...argv.slice(1)] : argv;
  if (wrap) {
    const behind = { ...command, argv: front.limit?.argv(inner) ?? argv };
    const wrapper = await wrapped({ command: behind, program, rlimits: front.rlimits }, wrap);
    const [file, ...rest] = wrapper.argv;
    return { ...common, file, arguments: rest, name: file, wrapper, env: withVariables(env, wrapper.variables) };
  }
  const bare = { file: program, arguments: argv.slice(1), name: argv[0] };
  return { ...common, ...(front.limit?.launch(inner) ?? bare) };
}

interface Front {
  readonly rlimits: Rlimits | undefined;
  /** Present when we put something in front of the program that sets them. */
  readonly limit?: {
    readonly name: string;
    launch(argv: readonly string[]): LimitedLaunch;
    argv(argv: readonly string[]): SandboxCommand["argv"];
  };
}

function frontOf({ limits }: SandboxCommand, options: LaunchOptions): Front {
  const { limiter, wrap, isLimitedByWrapper = false } = options;
  const rlimits = limiter && rlimitsFor(limits, limiter.found);
  // Behind a wrapper always: only so is it told apart that the wrapper ran and the program could not.
  const isInFront = limiter && (wrap ? !isLimitedByWrapper : rlimits !== undefined);
  if (!isInFront) return { rlimits };
  // Not to be guessed by the command: see what reads its complaints.
  const name = `caps-${randomUUID()}`;
  const set = rlimits ?? {};
  const launch = (argv: readonly string[]) => limiter.launch(argv, set, name);
  return { rlimits, limit: { name, launch, argv: (argv) => limiter.argv(argv, set, name) } };
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

/** Without its mark nothing of the command would be found again. */
function withVariables(env: Readonly<Record<string, string>>, over: Wrapper["variables"]): Record<string, string> {
  const variables = { ...env };
  for (const [name, value] of Object.entries(over)) {
    if (name === markVariable) continue;
    if (value === null) delete variables[name];
    else variables[name] = value;
  }
  return variables;
}

async function wrapped(request: WrapRequest, wrap: Wrap): Promise<Wrapper> {
  const { argv } = request.command;
  let made: WrappedArgv | Wrapped;
  try {
    made = await wrap(request);
  } catch (cause) {
    if (isHarnessError(cause)) throw cause;
    const reason = `the wrapper in front of it could not be made (${cause instanceof Error ? cause.message : cause})`;
    throw notStarted("setup-failed", argv, reason, "Nothing was started.", cause);
  }
  const wrapper = wrapperOf(made);
  try {
    checkWrapper(made, argv);
  } catch (error) {
    await wrapper.finish();
    throw error;
  }
  return wrapper;
}

function batchFile(argv: readonly string[]): SandboxError {
  const reason = "it is a batch file, which only a shell can run, and a shell would read the arguments anew";
  return notStarted("setup-failed", argv, reason, "Call the program that it calls, such as node with a script.");
}
