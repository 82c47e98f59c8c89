// Wakes those who wait for more of a run. A notice that comes while nobody waits is remembered, so none falls between looking
// and waiting.
import type { RunId } from "@harness/spec";

export interface Watcher {
  /** Resolves to true when something came since the last call, and to false once the signal has fired. */
  changed(): Promise<boolean>;
  stop(): void;
}

type Wake = () => void;

export function watchers() {
  const byRun = new Map<RunId, Set<Wake>>();
  const bySignal = new Map<AbortSignal, Set<Wake>>();

  // One function for every signal: a signal takes it once, however many watch. Node reports ten on one signal as a leak.
  const onAbort = ({ target }: { readonly target: unknown }) => callAll(bySignal.get(target as AbortSignal));

  function watch(run: RunId, signal: AbortSignal): Watcher {
    const { wake, changed } = waiter(signal);
    enter(byRun, run, wake);
    enter(bySignal, signal, wake);
    signal.addEventListener("abort", onAbort);
    return {
      changed,
      stop() {
        leave(byRun, run, wake);
        if (leave(bySignal, signal, wake)) signal.removeEventListener("abort", onAbort);
      },
    };
  }

  return {
    watch,
    wake: (run: RunId) => callAll(byRun.get(run)),
    wakeAll() {
      for (const wakes of byRun.values()) callAll(wakes);
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
