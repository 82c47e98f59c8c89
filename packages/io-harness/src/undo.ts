// Undoing what a run did to files, in this machine's store unless another is given. Nothing else is added to @harness/workspace's.
import type { RunId, Store } from "@harness/spec";
import type { RewindOptions, RewoundFile, RewoundRun, RewoundStep, RunPatch, UndoOptions } from "@harness/workspace";
import * as workspace from "@harness/workspace";
import { closing, storeHere } from "./defaults.js";

/** Where the run is. Default: this machine's store, opened for it and closed. */
export interface WithStore {
  readonly store?: Store;
}

/** Puts one file back to what was there before run `id` first wrote to it. See `rewind` of `@harness/workspace`. */
export async function rewind(
  id: RunId | string,
  path: string,
  { store, ...options }: RewindOptions & WithStore = {},
): Promise<RewoundFile> {
  return inStore(store, (opened) => workspace.rewind(opened, id, path, options));
}

/** Takes what `step` of run `id` did out of the files as they are now. See `rewindStep` of `@harness/workspace`. */
export async function rewindStep(
  id: RunId | string,
  step: number,
  { store, ...options }: UndoOptions & WithStore = {},
): Promise<RewoundStep> {
  return inStore(store, (opened) => workspace.rewindStep(opened, id, step, options));
}

/** Puts back every file that run `id` wrote to. See `rewindRun` of `@harness/workspace`. */
export async function rewindRun(
  id: RunId | string,
  { store, ...options }: RewindOptions & WithStore = {},
): Promise<RewoundRun> {
  return inStore(store, (opened) => workspace.rewindRun(opened, id, options));
}

/** What run `id` did to files, for `git apply`. See `patch` of `@harness/workspace`. */
export async function patch(id: RunId | string, { store }: WithStore = {}): Promise<RunPatch> {
  return inStore(store, (opened) => workspace.patch(opened, id));
}

/** Does `work` in `given`, or in this machine's store, which is closed when it is over. */
async function inStore<Value>(given: Store | undefined, work: (store: Store) => Promise<Value>): Promise<Value> {
  if (given) return work(given);
  const opened = storeHere();
  return closing(opened, work(opened));
}
