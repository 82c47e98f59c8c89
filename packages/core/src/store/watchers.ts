// Wakes those who wait for more of a run. A notice that comes while nobody waits is remembered, so none falls between looking
// and waiting. One listener serves all who share a signal: a thousand on one would be reported as a leak.
import type { RunId } from "@harness/spec";

export interface Watcher {
  /** Resolves to true when something came since the last call, and to false once the signal has fired. */
  changed(): Promise<boolean>;
  stop(): void;
}

type Wake = () => void;

export function watchers() {
  const byRun = new Map<RunId, Set<Wake>>();
  const bySignal = new Map<AbortSignal, { readonly wakes: Set<Wake>; readonly listener: () => void }>();

  function listen(signal: AbortSignal, wake: Wake): void {
    let shared = bySignal.get(signal);
    if (!shared) {
      const wakes = new Set<Wake>();
      shared = { wakes, listener: () => callAll(wakes) };
      bySignal.set(signal, shared);
      signal.addEventListener("abort", shared.listener, { once: true });
    }
    shared.wakes.add(wake);
  }

  function unlisten(signal: AbortSignal, wake: Wake): void {
    const shared = bySignal.get(signal);
    shared?.wakes.delete(wake);
    if (shared?.wakes.size !== 0) return;
    signal.removeEventListener("abort", shared.listener);
    bySignal.delete(signal);
  }

  function watch(run: RunId, signal: AbortSignal): Watcher {
    let isChanged = false;
    let resume: Wake | undefined;
    const wake = () => {
      isChanged = true;
      resume?.();
    };
    const wakes = byRun.get(run) ?? new Set();
    byRun.set(run, wakes.add(wake));
    listen(signal, wake);
    return {
      async changed() {
        if (!isChanged && !signal.aborted) await new Promise<void>((resolve) => (resume = resolve));
        isChanged = false;
        return !signal.aborted;
      },
      stop() {
        wakes.delete(wake);
        if (wakes.size === 0 && byRun.get(run) === wakes) byRun.delete(run);
        unlisten(signal, wake);
      },
    };
  }

  function wake(run: RunId): void {
    if (byRun.size > 0) callAll(byRun.get(run));
  }

  function wakeAll(): void {
    for (const wakes of byRun.values()) callAll(wakes);
  }

  return { watch, wake, wakeAll };
}

function callAll(wakes: Iterable<Wake> = []): void {
  for (const wake of wakes) wake();
}
