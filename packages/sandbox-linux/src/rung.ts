// A rung of the chain: one way to hold commands. Whether it works here is found out by spawning what it would build, in its
// strictest form, and nothing else: no version, package list or setting of the kernel says it.
import type { FloorOptions, Places, Wrapped, WrapRequest } from "@harness/sandbox-floor";
import type { Backend, Enforcement } from "@harness/spec";
import type { RunAs } from "./user/run-as.js";

/** What came of trying a rung on this machine. */
export interface RungReport {
  readonly backend: Backend;
  readonly works: boolean;
  /** Why it does not, and what would help: one sentence. `null` where it works. */
  readonly problem: string | null;
  /** What it enforces here; the floor's own values stand where nothing is said. */
  readonly enforces: Partial<Enforcement>;
  /** What holds less than it could although the rung works: a sentence each. */
  readonly gaps: readonly string[];
}

/** What a wrapper is built from. */
export interface RungRequest extends WrapRequest {
  readonly places: Places;
  /** Size of each memory-backed folder of the command's own, in bytes. */
  readonly tempBytes: number;
  /** Whom the chain has it run as, with that user's variables; absent: as this process does. */
  readonly user?: RunAs | undefined;
}

export interface Rung {
  readonly backend: Backend;
  /** What it sees to by itself, as `FloorOptions.wrapperSets`. Default: nothing. */
  readonly sets?: FloorOptions["wrapperSets"];
  /** Tries it, once per process: later calls get the same answer. Never rejects. */
  probe(): Promise<RungReport>;
  /** What to put in front of the command. Called only where the probe succeeded. */
  wrap(request: RungRequest): Promise<Wrapped>;
  /** Lets go of what the commands of one run share. */
  close?(): Promise<void>;
}
