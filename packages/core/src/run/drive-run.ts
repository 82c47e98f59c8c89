// One driver's time with a run: it holds the lease, hangs on the caller's signal, drives, and leaves both behind however it
// ends. Everything it throws says which run it was about.
import {
  isHarnessError,
  type Lease,
  type NewEvent,
  onAbort,
  type RunId,
  type Store,
  type TraceHead,
} from "@harness/spec";
import { drive } from "../loop/drive.js";
import { type Adapters, OpenRun } from "../loop/open-run.js";
import type { RunState } from "../loop/state.js";
import { type RunResult, resultOf } from "./result.js";
import type { Feed } from "./watch.js";

export interface Opening {
  readonly state: RunState;
  readonly head: TraceHead;
  readonly adapters: Adapters;
  /** What the driver records first. */
  readonly events: readonly NewEvent[];
}

export interface DriverSeat {
  readonly store: Store;
  readonly run: RunId;
  readonly owner: string;
  readonly leaseTtlMs: number;
  readonly signal: AbortSignal | undefined;
  readonly feed: Feed;
}

/** Takes the lease, opens the run under it and drives it. A result instead of an opening means there is nothing to drive. */
export async function driveRun(seat: DriverSeat, open: () => Promise<Opening | RunResult>): Promise<RunResult> {
  const { store, run, owner, leaseTtlMs } = seat;
  const lease = await store.acquire(run, owner, leaseTtlMs);
  try {
    const opening = await open();
    return "outcome" in opening ? opening : await driveOpened(seat, lease, opening);
  } finally {
    // A lease that cannot be given back lapses; what went wrong before is what the caller must hear.
    await store.release(lease).catch(() => {});
  }
}

async function driveOpened(seat: DriverSeat, lease: Lease, { events, ...opening }: Opening): Promise<RunResult> {
  const run = new OpenRun({ ...opening, lease, watchers: seat.feed });
  const { signal } = seat;
  const cancel = () => run.cancel(signal?.reason);
  // Once for the whole run, however many effects it has.
  const leave = signal && onAbort(signal, cancel);
  try {
    run.record(...events);
    if (signal?.aborted) cancel();
    const outcome = await drive(run);
    return resultOf(run.state, outcome);
  } finally {
    leave?.();
    run.close();
  }
}

/** Names the run on an error of ours that does not name one yet. */
export function named(error: unknown, run: RunId): unknown {
  if (isHarnessError(error)) error.runId ??= run;
  return error;
}
