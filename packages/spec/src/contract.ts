// What is asked for. A contract is data and is stored whole in `run.started`; what is a function or holds a resource
// (provider, store, sandbox, approver, tools, signal) is an option of `run` and `resume` instead.
import type { Image } from "./images.js";
import type { Effort } from "./provider.js";
import type { ExecMode, SandboxLimits } from "./sandbox.js";

/** The criterion for finished work. */
export type Gate =
  /** Nothing is checked: the run ends when the model answers without a call. */
  | { readonly type: "none" }
  /** A command that must exit with `expectExit`. */
  | CommandGate
  /** A workspace file must contain `text`. A file that is missing or unreadable fails. */
  | { readonly type: "file-contains"; readonly path: string; readonly text: string }
  /** A workspace file must be exactly `text`. */
  | { readonly type: "file-equals"; readonly path: string; readonly text: string };

export interface CommandGate {
  readonly type: "command";
  readonly argv: Argv;
  /** Default 0. A command that was killed has no exit code and cannot pass. */
  readonly expectExit: number;
  /** Whether the model is shown a failing command's output (at most 4,000 code points). Default true. */
  readonly reveal: boolean;
  /** Wall clock in ms. Default 120,000. */
  readonly timeoutMs: number;
  /** The other caps. Default: 60 s of CPU, 2 GiB of memory, 512 open files; `{}` for none. */
  readonly caps: Caps;
}

/** What a command may use, as far as the sandbox can enforce it: `enforces` in the trace says how far that is. */
export type Caps = Omit<SandboxLimits, "maxWallMs">;

export interface Limits {
  /** The last step number allowed, those before a resume included. Default 12. */
  readonly maxSteps: number;
  /** Wall clock in ms from the run's first event; time between processes counts. Default: none. */
  readonly maxDurationMs?: number;
  /** Total tokens that the provider reports over the run. Default: none. */
  readonly maxTokens?: number;
  /**
   * What the run may cost, in micro-units of the currency of its prices: 2.50 is `2_500_000`. Needs a table of prices. Default:
   * none.
   */
  readonly maxCostMicros?: number;
  /** Further attempts at one completion after a retryable failure. Default 2. */
  readonly maxRetries: number;
  /** First wait before a retry, doubled each time, in ms. Default 500. A server's own wish wins. */
  readonly retryBaseMs: number;
  /** Longest wait of our own before a retry, in ms. Default 30,000. */
  readonly retryMaxMs: number;
  /** Deadline of one completion, in ms. Default 600,000. */
  readonly completionTimeoutMs: number;
  /** Deadline of one tool call, in ms. Default 600,000. */
  readonly toolTimeoutMs: number;
  /** Deadline of one command that a tool runs, in ms. Default 900,000. */
  readonly execTimeoutMs: number;
  /** Reads of one completion that may be in flight together. Default 10; 1 turns overlap off. */
  readonly maxParallelReads: number;
  /** Code points of one observation that the model is shown. Default 12,000. */
  readonly maxObservationChars: number;
  /** Identical steps before the run is told to change course; 0 turns stall detection off. Default 3. */
  readonly stallWindow: number;
  /** Times a stalled run is told so before it ends as `stalled`. Default 1. */
  readonly maxReplans: number;
}

/** A program and its arguments. */
export type Argv = readonly [string, ...string[]];

export type ToolchainCommand = "install" | "build" | "test" | "lint" | "format" | "run" | "check";

/**
 * The commands by which a repository is worked on, `null` or absent for none. The model is told of them and nothing is
 * granted by it. `test`, `build`, `lint`, `format` and `check` may be run again after a crash, exactly as they stand.
 */
export interface Toolchain extends Readonly<Partial<Record<ToolchainCommand, Argv | null>>> {
  /** What the repository was recognised as: `node (pnpm)`. */
  readonly ecosystem?: string;
}

/** Everything asked of a run, with every default filled in. */
export interface TaskContract {
  readonly goal: string;
  /** Absolute path of the root that every file tool stays under. */
  readonly workspace: string;
  readonly verify: Gate;
  /** Guidance for the model, verbatim. Not a boundary. */
  readonly constraints: readonly string[];
  readonly limits: Limits;
  /**
   * Commands that may be run again after a crash without asking: `"npm test"` matches that argv and any longer one that
   * starts with the same words. The gate's own command always is.
   */
  readonly replayable: readonly string[];
  /** Where commands may write, those of calls and the gate's. Default `workspace-write`; nothing widens it. */
  readonly mode: ExecMode;
  /** Caps of every command that a call runs. A tool may set lower ones, never higher. Default: none. */
  readonly caps: Caps;
  /** Default: none. The umbrella package fills in what it recognises in the workspace root. */
  readonly toolchain?: Toolchain;
  /** Whether the model may ask a person: it is offered `ask_question`. Default false. */
  readonly questions: boolean;
  /** Whether a plan comes first: until one is approved nothing may be written and no command run. Default false. */
  readonly plan: boolean;
  /** Names of environment variables that commands get on top of the allow list. */
  readonly env: readonly string[];
  /** The model asked for; absent leaves it to the provider. */
  readonly model?: string;
  /** Most tokens that one completion may produce; absent leaves it to the provider. */
  readonly maxOutputTokens?: number;
  /** How much the model is asked to think; absent leaves it to the provider. */
  readonly effort?: Effort;
  /**
   * Pictures that belong to the goal: they are in the first message of every request. At most 5 MiB each and 20 MiB together, as
   * bytes. A provider that takes none is refused before anything is sent.
   */
  readonly images?: readonly Image[];
}
