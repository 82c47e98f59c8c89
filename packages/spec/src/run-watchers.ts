// For those who write a store: wakes whoever waits for more of a run, as `follow` has to. A notice that comes while nobody waits
// is remembered, so none falls between looking and waiting.
import type { RunId } from "./ids.js";
import { onAbort } from "./on-abort.js";

/** One reader's wait. */
export interface RunWatcher {
  /** Resolves to true when something may have come since the last call, and to false once the signal has fired. */
  changed(): Promise<boolean>;
  stop(): void;
}

export interface RunWatchers {
  watch(run: RunId, signal: AbortSignal): RunWatcher;
  wake(run: RunId): void;
  wakeAll(): void;
}

export interface RunWatchersOptions {
  /** Someone waits now, where nobody did. */
  readonly onFirst?: () => void;
  /** Nobody waits any more. */
  readonly onLast?: () => void;
}

type Wake = () => void;

/** Waiters by run. Holds no timer and no handle: what is not woken waits. */
export function runWatchers({ onFirst, onLast }: RunWatchersOptions = {}): RunWatchers {
  const byRun = new Map<RunId, Set<Wake>>();

  function watch(run: RunId, signal: AbortSignal): RunWatcher {
    const { wake, changed } = waiter(signal);
    if (byRun.size === 0) onFirst?.();
    enter(byRun, run, wake);
    const leaveSignal = onAbort(signal, wake);
    return {
      changed,
      stop() {
        leaveSignal();
        if (leave(byRun, run, wake) && byRun.size === 0) onLast?.();
      },
    };
  }

  return {
    watch,
    wake: (run) => callAll(byRun.get(run)),
    wakeAll() {
      for (const wakes of byRun.values()) callAll(wakes);
    },
  };
}

function waiter(signal: AbortSignal): { readonly wake: Wake; readonly changed: RunWatcher["changed"] } {
  let isChanged = false;
  let resume: Wake | undefined;
  return {
    wake() {
      isChanged = true;
      resume?.();
    },
    async changed() {
      if (!isChanged && !signal.aborted) {
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
      isChanged = false;
      return !signal.aborted;
    },
  };
}

function enter<Key>(groups: Map<Key, Set<Wake>>, key: Key, wake: Wake): void {
  const wakes = groups.get(key) ?? new Set();
  groups.set(key, wakes.add(wake));
}

/** True when nobody is left at `key`. */
function leave<Key>(groups: Map<Key, Set<Wake>>, key: Key, wake: Wake): boolean {
  const wakes = groups.get(key);
  wakes?.delete(wake);
  return wakes?.size === 0 && groups.delete(key);
}

function callAll(wakes: Iterable<Wake> | undefined): void {
  if (wakes) for (const wake of wakes) wake();
}
