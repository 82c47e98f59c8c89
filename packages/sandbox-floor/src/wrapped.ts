// What a native backend puts in front of a command, and what it needs of the floor for that. The floor starts it, listens to it
// and ends it like any other command; only here does it learn that somebody stands in between.

/** The wrapper's absolute path, its arguments, then the command's argv. */
export type WrappedArgv = readonly [string, ...string[]];

/** A descriptor that the wrapper gets, numbered from 3 in the order given. */
export type WrapperDescriptor =
  /** Opened for this command alone: closed here once the command has been started, or was not. */
  | { readonly type: "open"; readonly fd: number }
  /** The wrapper writes to it what `status` reads, and the command does not get it. At most one. */
  | { readonly type: "status" };

export interface Wrapped {
  readonly argv: WrappedArgv;
  readonly descriptors?: readonly WrapperDescriptor[];
  /** Set over the command's own variables; `null` takes one away. The floor's mark stays. */
  readonly variables?: Readonly<Record<string, string | null>>;
  /**
   * Whom the wrapper and the command run as, in no other group; for a process that may change users. Default: as this process
   * does.
   */
  readonly user?: { readonly uid: number; readonly gid: number };
  /**
   * The command's temporary folder, absolute, where the backend has made one and named it in `variables`. The floor makes none
   * then, and holds this one to the command's cap; `after` removes it.
   */
  readonly temp?: string;
  /**
   * What the wrapper's words on its status descriptor so far mean, 64 KiB of them at most. Pure; asked again with every word
   * that comes. Absent where there is no such descriptor.
   */
  readonly status?: (said: string) => WrapperStatus;
  /**
   * Called once, when nothing of the command is left, or when it was never started. What it resolves to is in the outcome; that
   * it rejects is a warning there.
   */
  readonly after?: () => Promise<Aftermath>;
}

export interface WrapperStatus {
  /** The command itself was executed. Still false when the wrapper has ended by itself: the outcome rejects as `wrapper-failed`. */
  readonly hasRun: boolean;
  /**
   * The first process of the command's own pid namespace, as this process numbers it. Its end is the end of all in it, so it is
   * what is killed. To be ended with a grace, all in the namespace are asked, and nobody in front of it. Believed only of a
   * descendant of the wrapper.
   */
  readonly init?: number;
}

/** For the outcome: see `SandboxOutcome`. */
export interface Aftermath {
  readonly undone?: readonly string[];
  readonly warnings?: readonly string[];
}
