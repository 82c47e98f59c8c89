// Keeps the lease while a long command appends nothing. Appends renew it themselves, so most heartbeats find nothing to do.
import type { Clock, Lease, RunId, Store } from "@harness/spec";

export interface LeaseKeeper {
  /** The lease was renewed by an append. */
  renewed(): void;
  stop(): void;
}

/** `onLost` hears of a heartbeat that was refused, once. */
export function keepLease(
  store: Store,
  lease: Lease,
  runId: RunId,
  clock: Clock,
  onLost: (error: unknown) => void,
): LeaseKeeper {
  const everyMs = Math.max(1, Math.floor(lease.ttlMs / 4));
  let lastMs = clock.now();
  let isStopped = false;
  let cancel = clock.alarm(everyMs, beat);

  function beat(): void {
    if (isStopped) return;
    if (clock.now() - lastMs < everyMs) {
      again();
      return;
    }
    store.append(lease, runId, []).then(
      () => {
        lastMs = clock.now();
        again();
      },
      (error: unknown) => {
        if (!isStopped) onLost(error);
      },
    );
  }

  function again(): void {
    if (!isStopped) cancel = clock.alarm(everyMs, beat);
  }

  return {
    renewed() {
      lastMs = clock.now();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
