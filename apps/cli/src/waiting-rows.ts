// What the runs of a store wait for, oldest first. A run that cannot be read must not hide what the others ask.
import { attach } from "@harness/core";
import type { RunHead, Store } from "@harness/spec";
import { waysOn } from "./render/next-commands.js";
import type { WaitingRow } from "./render/waiting-lines.js";
import { lastDriver } from "./run-log.js";
import { stateOf } from "./run-state.js";

export interface WaitingRows {
  readonly rows: readonly WaitingRow[];
  /** What went wrong with runs that are not among them. */
  readonly failures: readonly unknown[];
}

export async function waitingRows(store: Store, now: number): Promise<WaitingRows> {
  const limit = Number.MAX_SAFE_INTEGER;
  const [paused, running] = await Promise.all([
    store.runs({ state: "paused", limit }),
    store.runs({ state: "running", limit }),
  ]);
  const rows: WaitingRow[] = [];
  const failures: unknown[] = [];
  // One after the other: each is a whole log.
  for (const head of [...paused, ...running]) {
    try {
      rows.push(...(await rowsOf(store, head, now)));
    } catch (error) {
      failures.push(error);
    }
  }
  return { rows: rows.sort((a, b) => a.waiting.since - b.waiting.since), failures };
}

async function rowsOf(store: Store, head: RunHead, now: number): Promise<readonly WaitingRow[]> {
  const found = await attach(store, head.id).waiting();
  if (found.length === 0) return [];
  const isDriven = stateOf(head, now) === "running";
  const resume = await resumeWords(store, head);
  return found.map((waiting) => ({ waiting, isDriven, resume }));
}

/** The arguments of the command that goes on with the run, and so with the tree that it is in. */
export async function resumeWords(store: Store, { root }: Pick<RunHead, "root">): Promise<readonly string[]> {
  const [words = ["resume", root]] = waysOn(root, undefined, await lastDriver(store, root));
  return words;
}
