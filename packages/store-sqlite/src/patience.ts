// Waiting for a lock that another process holds. The driver itself never waits, because that would stop the event loop; what
// is locked is tried again after a while, up to a limit.
import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "./failures.js";

// SQLite keeps no queue of those who wait: whoever looks while the file is free has it. So nobody looks much less often than a
// commit takes, however long it has waited, or those who come later would always be quicker.
const delaysMs = [1, 2, 5, 10] as const;
const longestDelayMs = 15;

/** How long to wait before try `attempt` + 1, counted from 0. */
export function backoffMs(attempt: number): number {
  return delaysMs[attempt] ?? longestDelayMs;
}

/** Calls `work` until it is not locked out any more. Throws what it threw when `limitMs` of waiting did not help. */
export async function patiently<Value>(limitMs: number, work: () => Value): Promise<Value> {
  let waitedMs = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || waitedMs >= limitMs) throw error;
    }
    const delayMs = Math.min(backoffMs(attempt), limitMs - waitedMs);
    await sleep(delayMs);
    waitedMs += delayMs;
  }
}
