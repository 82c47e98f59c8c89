// The portable floor: a process of its own for every command, with capture, deadlines and a kill of the whole tree. It
// confines nothing. Native backends put a wrapper in front of the same argv and share all the rest.
import {
  type Backend,
  type Clock,
  type Enforcement,
  type Sandbox,
  type SandboxCommand,
  SandboxError,
  type SandboxProcess,
  systemClock,
} from "@harness/spec";
import { type CapMeans, processCapMeans } from "./caps/cap-means.js";
import type { Limiter } from "./caps/limiter.js";
import { aborted, notStarted } from "./failures.js";
import { prepareLaunch, type WrapRequest } from "./launch.js";
import { endLeftProcesses, marksOf } from "./owner/left-processes.js";
import { thisOwner } from "./owner/owner.js";
import { processTable } from "./process-table.js";
import { processTree } from "./process-tree.js";
import { startCommand } from "./start-command.js";
import { windowsTree } from "./windows-tree.js";
import type { Wrapped, WrappedArgv } from "./wrapped.js";

export interface FloorOptions {
  /** Default `portable-floor`. A backend that wraps names itself. */
  readonly backend?: Backend;
  /** What holds beyond, or in place of, what the floor enforces by itself on this machine. */
  readonly enforces?: Partial<Enforcement>;
  /** Asked once, before the first command. When it says no, every command rejects with `setup-failed`. */
  readonly isAvailable?: () => boolean | Promise<boolean>;
  /**
   * Puts something in front of the command: the wrapper's absolute path, its arguments, then `command.argv`; or that with what
   * else it needs. What it throws becomes a `SandboxError` `setup-failed`; what it has opened by then is its own to close.
   */
  readonly wrap?: (request: WrapRequest) => WrappedArgv | Wrapped | Promise<WrappedArgv | Wrapped>;
  /**
   * What the wrapper sees to by itself, so that the floor does not: `rlimits`, setting the limits of the request; `temp`, a
   * temporary folder of bounded size.
   */
  readonly wrapperSets?: readonly ("rlimits" | "temp")[];
  /** What commands inherit from, through the allow list. Default: `process.env` as it is when a command starts. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Names of variables that no command ever gets: provider keys under names that do not look like one. */
  readonly secrets?: readonly string[];
  /** Tells deadlines and durations. Graces and drains wait for real processes and take real time. */
  readonly clock?: Clock;
  /** So much of the start and of the end of each stream is kept. Default 1 MiB. */
  readonly keepBytes?: number;
  /** Between SIGTERM and SIGKILL. Default 1,000. */
  readonly graceMs?: number;
  /** How long a command that has exited may go on printing through what it left running. Default 200 of silence. */
  readonly drainMs?: number;
  /** Marks a command's processes; must not repeat. Default: names this process, so that what it leaves when it is killed is found. */
  readonly newMark?: () => string;
}

/** On every machine; what it holds of the other caps depends on where it is. */
const floorEnforces: Omit<Enforcement, keyof CapMeans["enforces"]> = {
  writes: false,
  reads: false,
  metadata: false,
  protectedPaths: false,
  egress: "none",
  unixSockets: false,
  otherProcesses: false,
  kernel: false,
  privateTemp: false,
  wall: true,
  output: true,
  treeKill: "walk",
};

const mebibyte = 1024 * 1024;
/** What `take` returns of a stream at most. */
const windowBytes = 64 * 1024;

/** Runs commands as processes of this machine. See the README for what it does and does not hold them to. */
export function floor(options: FloorOptions = {}): Sandbox {
  const { backend = "portable-floor", isAvailable, enforces, clock = systemClock() } = options;
  const { keepBytes = mebibyte, drainMs = 200, wrapperSets = [] } = options;
  const means = processCapMeans();
  const makesTemp = means.enforces.temp && !wrapperSets.includes("temp");
  const surroundings = {
    ...{ backend, means, makesTemp, clock, keepBytes, drainMs },
    ...{ treeOf: treeMaker(options) },
  };
  let availability: Promise<void> | undefined;

  async function start(command: SandboxCommand, window?: number): Promise<SandboxProcess> {
    const { argv, signal } = command;
    if (signal?.aborted) throw aborted(argv, signal);
    if (isAvailable) {
      availability ??= assertAvailable(backend, isAvailable);
      await availability;
    }
    sweepOnce();
    const limiter = await limiterFor(command, means, options);
    const launch = await prepareLaunch(command, { ...launchOptions(options), limiter });
    return startCommand(command, launch, { ...surroundings, windowBytes: window });
  }

  return {
    spec: 1,
    backend,
    enforces: { ...floorEnforces, ...means.enforces, ...enforces },
    run: async (command) => (await start(command)).outcome,
    spawn: (command) => start(command, windowBytes),
  };
}

function launchOptions(options: FloorOptions) {
  const { environment = process.env, secrets = [], newMark = markOfProcess, wrap, wrapperSets = [] } = options;
  return { environment, secrets, mark: newMark(), wrap, isLimitedByWrapper: wrapperSets.includes("rlimits") };
}

let processMarks: (() => string) | undefined;

function markOfProcess(): string {
  processMarks ??= marksOf(thisOwner());
  return processMarks();
}

let hasSwept = false;

/** Before the first command of this process: a harness that was killed may have left some of its own running. */
function sweepOnce(): void {
  if (hasSwept) return;
  hasSwept = true;
  const table = processTable();
  if (table) endLeftProcesses(table);
}

async function limiterFor(
  { argv, limits }: SandboxCommand,
  means: CapMeans,
  { wrap, wrapperSets = [] }: FloorOptions,
): Promise<Limiter | undefined> {
  try {
    return await means.limiterFor(limits, wrap !== undefined && !wrapperSets.includes("rlimits"));
  } catch (cause) {
    const reason = `what sets its caps does not work here (${cause instanceof Error ? cause.message : cause})`;
    throw notStarted("setup-failed", argv, reason, "Run it without caps on CPU time, files and descriptors.", cause);
  }
}

function treeMaker({ graceMs = 1_000, environment = process.env }: FloorOptions) {
  const table = processTable();
  return (root: { readonly pid: number; readonly hasExited: boolean }, mark: string) =>
    table ? processTree({ root, mark, table, graceMs }) : windowsTree(root, environment);
}

async function assertAvailable(backend: Backend, isAvailable: () => boolean | Promise<boolean>): Promise<void> {
  let cause: unknown;
  try {
    if (await isAvailable()) return;
  } catch (error) {
    cause = error;
  }
  const advice = "Choose another backend, or install what it needs.";
  throw new SandboxError("setup-failed", `The sandbox ${backend} cannot be used on this machine. ${advice}`, { cause });
}
