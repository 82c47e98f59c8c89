// What a run is about, and whether it may be done yet.
import type { TaskContract } from "@harness/spec";

export interface Phase {
  readonly contract: TaskContract;
  /** The contract wants a plan first, and none is approved yet. */
  readonly isPlanning: boolean;
}
