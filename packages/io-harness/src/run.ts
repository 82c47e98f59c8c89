// `run`, `start` and `resume` with the defaults for this machine. Nothing else is added to core's.

import type { ContractInput, DriveOptions, ResumeOptions, RunHandle, RunResult } from "@harness/core";
import * as core from "@harness/core";
import type { RunId } from "@harness/spec";
import { closing, closingAfterReaders, withDefaults, withToolchain } from "./defaults.js";

/**
 * Runs `contract` until it stops. Without `store`, `sandbox` or `tools` it uses this machine's, and the toolchain that the
 * workspace has by the look of it completes the contract's. See `run` of `@harness/core`.
 */
export async function run(contract: ContractInput, options: DriveOptions): Promise<RunResult> {
  const complete = withDefaults(options);
  return closing(options.store ? undefined : complete.store, core.run(withToolchain(contract), complete));
}

/** Starts `contract` and returns at once. Its events can be read until the run is over; later ones from the store. */
export function start(contract: ContractInput, options: DriveOptions): RunHandle {
  const complete = withDefaults(options);
  const handle = core.start(withToolchain(contract), complete);
  return options.store ? handle : closingAfterReaders(complete.store, handle);
}

/** Goes on with a run from its last event, in this machine's store unless another is given. See `resume` of `@harness/core`. */
export async function resume(id: RunId | string, options: ResumeOptions): Promise<RunResult> {
  const complete = withDefaults(options);
  return closing(options.store ? undefined : complete.store, core.resume(id, complete));
}
