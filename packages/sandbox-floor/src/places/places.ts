// Which places of the file system a command may write, and which it may not read or change although they lie in what it may:
// resolved, existing and in the order in which a backend puts them in place. What a rule or a default names is looked for here,
// once for every backend.
import type { SandboxCommand } from "@harness/spec";
import type { Aftermath } from "../wrapped.js";

export interface HiddenPlace {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Every path is absolute, resolved and was there when it was looked for. */
export interface Places {
  /** The workspace first, unless the mode is `read-only`; then the roots. */
  readonly writable: readonly string[];
  /** Not to be written, inside something writable. */
  readonly protected: readonly string[];
  /** Folders between something writable and what is protected or hidden in it, shortest first: not to be moved. */
  readonly pinned: readonly string[];
  /** Not to be read. A folder stands before what is in it. */
  readonly hidden: readonly HiddenPlace[];
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
  /** Names or paths of the default lists that are not to be protected or hidden after all, such as `.git/hooks`. */
  readonly except?: readonly string[];
}

/** The places of `command`. Throws `SandboxError` `setup-failed` for grants and denials that contradict each other. */
export declare function placesOf(command: SandboxCommand, options?: PlacesOptions): Promise<Places>;
