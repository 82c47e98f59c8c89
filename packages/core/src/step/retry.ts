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

/** Epoch ms of the next attempt, or `null` when there is none: not worth it, none left, or no time left to wait for it. */
export function nextAttempt(attempt: Attempt, limits: Limits, startedAt: number, now: number): number | null {
  if (!attempt.isRetryable || attempt.failures > limits.maxRetries) return null;
  const { retryAfterMs } = attempt;
  if (retryAfterMs !== undefined && retryAfterMs > longestWishMs) return null;
  const own = Math.min(limits.retryBaseMs * 2 ** (attempt.failures - 1), limits.retryMaxMs);
  const at = now + (retryAfterMs ?? own);
  const { maxDurationMs } = limits;
  return maxDurationMs !== undefined && at - startedAt > maxDurationMs ? null : at;
}
