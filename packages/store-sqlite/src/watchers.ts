// Wakes those who wait for more of a run: at once for what this store writes, and by one question for the whole store, asked
// every few hundredths of a second, for what anyone else does. The question is asked only while somebody waits. A notice that
// comes while nobody waits is remembered, so none falls between looking and waiting.
import type { RunId } from "@harness/spec";

const pollMs = 40;

export interface Watcher {
  /** Resolves to true when something may have come since the last call, and to false once the signal has fired. */
  changed(): Promise<boolean>;
  stop(): void;
}

type Wake = () => void;

export interface Watchers {
  watch(run: RunId, signal: AbortSignal): Watcher;
  wake(run: RunId): void;
  /** Wakes everyone, for the last time. */
  close(): void;
}

/** `hasChanged` says whether anyone else has written since it was last asked. */
export function watchers(hasChanged: () => boolean): Watchers {
  const byRun = new Map<RunId, Set<Wake>>();
  const bySignal = new Map<AbortSignal, Set<Wake>>();
  let timer: ReturnType<typeof setInterval> | undefined;

  // One function for every signal: a signal takes it once, however many watch. Node reports ten on one signal as a leak.
  const onAbort = ({ target }: { readonly target: unknown }) => callAll(bySignal.get(target as AbortSignal));

  function watch(run: RunId, signal: AbortSignal): Watcher {
    const { wake, changed } = waiter(signal);
    if (byRun.size === 0) start();
    enter(byRun, run, wake);
    enter(bySignal, signal, wake);
    signal.addEventListener("abort", onAbort);
    return {
      changed,
      stop() {
        if (leave(bySignal, signal, wake)) signal.removeEventListener("abort", onAbort);
        leave(byRun, run, wake);
        if (byRun.size === 0) clearInterval(timer);
      },
    };
  }

  function start(): void {
    hasChanged();
    timer = setInterval(() => {
      if (hasChanged()) wakeAll();
    }, pollMs);
  }

  function wakeAll(): void {
    for (const wakes of byRun.values()) callAll(wakes);
  }

  return {
    watch,
    wake: (run) => callAll(byRun.get(run)),
    close() {
      clearInterval(timer);
      wakeAll();
    },
  };
}

function waiter(signal: AbortSignal): { readonly wake: Wake; readonly changed: Watcher["changed"] } {
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
