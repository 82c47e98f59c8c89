// An undoing's time with a run: it holds the tree's lease as a driver does, so that nobody drives meanwhile and no two undo at
// once; it reads the log under it, appends to it, and gives the lease back however it ends.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { Policy, policyData } from "@harness/policy";
import {
  type EventOf,
  type Lease,
  type PolicyData,
  type RunId,
  redactor,
  type Store,
  StoreError,
  seal,
  systemClock,
} from "@harness/spec";
import { type Resolve, resolver } from "../paths/place.js";
import { rootFinder } from "../paths/root.js";
import { type FileLog, readFileLog } from "./file-log.js";
import type { UndoOptions } from "./results.js";

export interface Seat {
  readonly store: Store;
  readonly run: RunId;
  readonly log: FileLog;
  readonly policy: PolicyData;
  readonly resolve: Resolve;
  readonly signal: AbortSignal;
  /** To be awaited before anything is touched. Rejects with `LeaseLostError`, or with the signal's reason. */
  hold(): Promise<void>;
  /** Durable when it resolves. */
  record(facts: Pick<EventOf<"files.rewound">, "phase" | "scope" | "undid" | "forced" | "paths">): Promise<void>;
}

/**
 * Does `work` under the run's lease. Rejects with `RunConflictError` while somebody else holds it, with `StoreError` (`missing`) for
 * an unknown run and with `ConfigError` for a policy that cannot be used, nothing touched.
 */
export async function seated<Value>(
  store: Store,
  run: RunId,
  options: UndoOptions,
  work: (seat: Seat) => Promise<Value>,
): Promise<Value> {
  const { leaseTtlMs = 60_000, ids, signal = new AbortController().signal } = options;
  const given = options.policy && policyData(options.policy);
  signal.throwIfAborted();
  const [head] = await store.runs({ id: run });
  if (!head) throw unknownRun(run);
  const lease = await store.acquire(head.root, ids?.owner() ?? randomOwner(), leaseTtlMs);
  try {
    const log = await readFileLog(store, run);
    // A log that does not say what was allowed allows nothing.
    const policy = given ?? log.policy ?? new Policy().toJSON();
    const ports = { store, run, log, policy, resolve: resolver(rootFinder()), signal };
    return await work({
      ...ports,
      hold: () => hold(store, run, lease, signal),
      record: recorder(ports, lease, options),
    });
  } finally {
    // A lease that cannot be given back lapses; what went wrong before is what the caller must hear.
    await store.release(lease).catch(() => {});
  }
}

export function unknownRun(run: RunId): StoreError {
  return new StoreError("missing", `There is no run ${run} in this store. List the runs there are.`, { runId: run });
}

/** An append of nothing keeps the lease, and is refused when somebody else has it by now. */
async function hold(store: Store, run: RunId, lease: Lease, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await store.append(lease, run, []);
}

function recorder(
  { store, run, log }: Pick<Seat, "store" | "run" | "log">,
  lease: Lease,
  { clock = systemClock() }: UndoOptions,
): Seat["record"] {
  let { head, at, step } = log.end;
  // Every path comes out of the log, so what must not be in it is not.
  const redact = redactor();
  return async (facts) => {
    at = Math.max(clock.now(), at);
    const { stored } = seal(head, { type: "files.rewound", seq: head.seq + 1, step, at, ...facts }, redact);
    await store.append(lease, run, [stored]);
    head = stored;
  };
}

function randomOwner(): string {
  return `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`;
}
