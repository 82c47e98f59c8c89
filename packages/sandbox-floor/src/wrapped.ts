// What a native backend puts in front of a command, and what it needs of the floor for that. The floor starts it, listens to it
// and ends it like any other command; only here does it learn that somebody stands in between.

/** The wrapper's absolute path, its arguments, then the command's argv. */
export type WrappedArgv = readonly [string, ...string[]];

/** A descriptor that the wrapper gets, numbered from 3 in the order given. */
export type WrapperDescriptor =
  /** Opened for this command alone: closed here once the command has been started, or was not. */
  | { readonly type: "open"; readonly fd: number }
  /** The wrapper writes to it what `status` reads. At most one. */
  | { readonly type: "status" };

export interface Wrapped {
  readonly argv: WrappedArgv;
  readonly descriptors?: readonly WrapperDescriptor[];
  /** Set over the command's own variables; `null` takes one away. */
  readonly variables?: Readonly<Record<string, string | null>>;
  /** Whom the wrapper and the command run as. Default: as this process does. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** What the wrapper's words on its status descriptor so far mean. Pure; absent where there is none. */
  readonly status?: (said: string) => WrapperStatus;
  /** Called once, when nothing of the command is left, or when it was never started. */
  readonly after?: () => Promise<Aftermath>;
}

export interface WrapperStatus {
  /** The command itself was executed. Still false when the wrapper has ended by itself: the outcome rejects as `wrapper-failed`. */
  readonly hasRun: boolean;
  /** The first process of the command's own pid namespace, as this process numbers it. Its end is the end of all in it. */
  readonly init?: number;
}

/** For the outcome: see `SandboxOutcome`. */
export interface Aftermath {
  readonly undone?: readonly string[];
  readonly warnings?: readonly string[];
}
