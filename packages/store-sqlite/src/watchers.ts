// Wakes those who wait for more of a run: at once for what this store writes, and by one question for the whole store, asked
// every few hundredths of a second, for what anyone else does. The question is asked only while somebody waits.
import { type RunWatchers, runWatchers } from "@harness/spec";

const pollMs = 40;

export interface Watchers extends RunWatchers {
  /** Wakes everyone, for the last time. */
  close(): void;
}

/** `hasChanged` says whether anyone else has written since it was last asked. */
export function watchers(hasChanged: () => boolean): Watchers {
  let timer: ReturnType<typeof setInterval> | undefined;
  const { watch, wake, wakeAll } = runWatchers({
    onFirst() {
      hasChanged();
      timer = setInterval(() => {
        if (hasChanged()) wakeAll();
      }, pollMs);
    },
    onLast: () => clearInterval(timer),
  });
  return {
    watch,
    wake,
    wakeAll,
    close() {
      clearInterval(timer);
      wakeAll();
    },
  };
}
