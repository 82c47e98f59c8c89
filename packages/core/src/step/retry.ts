// When a completion that failed is asked for again. Core's is the only retry there is. The answer goes into the log before the
// wait, so that a process that dies waiting does not start to count anew.
import type { Limits } from "@harness/spec";

/** Longest wish of a server that is honoured. */
const longestWishMs = 15 * 60_000;

export interface Attempt {
  /** This one included. */
  readonly failures: number;
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | undefined;
}

/** How long to wait for the next attempt, or `null` when there is none: not worth it, none left, or no time left for it. */
export function retryDelayMs(attempt: Attempt, limits: Limits, startedAt: number, now: number): number | null {
  if (!attempt.isRetryable || attempt.failures > limits.maxRetries) return null;
  const { retryAfterMs } = attempt;
  if (retryAfterMs !== undefined && retryAfterMs > longestWishMs) return null;
  const own = Math.min(limits.retryBaseMs * 2 ** (attempt.failures - 1), limits.retryMaxMs);
  const delayMs = retryAfterMs ?? own;
  const { maxDurationMs } = limits;
  return maxDurationMs !== undefined && now + delayMs - startedAt > maxDurationMs ? null : delayMs;
}
