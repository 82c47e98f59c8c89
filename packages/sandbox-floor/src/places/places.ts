// What the places of a command are: of the file system, those that it may write, and those that it may not read or change although
// they lie in what it may. How they are found is in `places-of.ts`.
import type { Aftermath } from "../wrapped.js";

export interface HiddenPlace {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Every path is absolute and resolved, and was there when it was looked for; only what is `watched` need not be. */
export interface Places {
  /** The workspace first, unless the mode is `read-only` or a rule denies to write any of it; then the roots. */
  readonly writable: readonly string[];
  /** Not to be written, inside something writable. */
  readonly protected: readonly string[];
  /** Folders between something writable and what is protected or hidden in it, shortest first: not to be moved. */
  readonly pinned: readonly string[];
  /** Not to be read. A folder stands before what is in it. */
  readonly hidden: readonly HiddenPlace[];
  /**
   * Protected names that are not there, and those that are links: their own paths. A backend that goes by names denies to make,
   * remove or rename them; where that cannot be, `undo` puts right what happened.
   */
  readonly watched: readonly string[];
  /** What could not be looked at or will not hold: a sentence each. */
  readonly warnings: readonly string[];
  /** Removes what is protected, was not there before and is now. To be called when nothing of the command is left. */
  undo(): Promise<Aftermath>;
}

export interface PlacesOptions {
  /** Where keys and caches are looked for. Default: this process's environment, and its user's home. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  /** Caches of toolchains that are writable in `workspace-write`. Default: those that are there. */
  readonly caches?: readonly string[];
  /** Hidden as well, absolute. */
  readonly hidden?: readonly string[];
  /** Protected as well, absolute. */
  readonly protected?: readonly string[];
  /**
   * Names or paths of the default lists that are not to be protected or hidden after all, with what is in them: `.git/hooks`,
   * `~/.npmrc`, an absolute path.
   */
  readonly except?: readonly string[];
}
