// The small ports: time, names and watching. They come in from outside so that a run can be replayed and a crash tested.

import type { RunEvent } from "./events/run-event.js";
import type { RunId } from "./ids.js";
import { onAbort } from "./on-abort.js";

export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it fires first. */
  sleep(ms: number, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Calls `ring` once after `ms`, unless the function returned is called first. */
  alarm(ms: number, ring: () => void): () => void;
}

/** Where new names come from. */
export interface Ids {
  run(): RunId;
  /** A name for this driver, unique among all that use the store. `<host>:<pid>:<anything>` lets a store see that it died. */
  owner(): string;
}

/** Watches. It is told what is durable, in order, and cannot steer; what it throws ends neither the run nor the process. */
export interface Observer {
  onEvent(runId: RunId, event: RunEvent): void;
}

/** What is live only: no `seq`, never stored, nothing depends on it. Always before the event that settles it. */
export type LiveUpdate =
  | { readonly type: "text"; readonly step: number; readonly text: string }
  | { readonly type: "reasoning"; readonly step: number; readonly text: string }
  /** What was shown of this step's completion is void; another attempt, or another model, follows. */
  | { readonly type: "reset"; readonly step: number }
  | { readonly type: "tool-progress"; readonly step: number; readonly call: string; readonly text: string };

/** What a timer of the platform can hold: about 24 days. */
const longestTimerMs = 2 ** 31 - 1;

/** The real clock. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    sleep: (ms, { signal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const timer = setTimeout(
          () => {
            leave?.();
            resolve();
          },
          Math.max(0, Math.min(ms, longestTimerMs)),
        );
        const leave =
          signal &&
          onAbort(signal, () => {
            clearTimeout(timer);
            leave?.();
            reject(signal.reason);
          });
      }),
    alarm: (ms, ring) => {
      const timer = setTimeout(ring, Math.max(0, Math.min(ms, longestTimerMs)));
      return () => clearTimeout(timer);
    },
  };
}
