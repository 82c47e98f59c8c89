// One listener on a signal, however many commands wait for it. A run's signal outlives its commands, and many may run at
// once: a listener each piles up, and Node warns of a leak at the eleventh.

export interface AbortFan {
  /** Calls `onAbort` once when the signal fires, unless the returned function was called before. */
  subscribe(signal: AbortSignal, onAbort: () => void): () => void;
}

export function abortFan(): AbortFan {
  const waiting = new WeakMap<AbortSignal, { readonly calls: Set<() => void>; readonly fire: () => void }>();

  function open(signal: AbortSignal) {
    const calls = new Set<() => void>();
    const fire = () => {
      for (const call of [...calls]) call();
    };
    const entry = { calls, fire };
    waiting.set(signal, entry);
    signal.addEventListener("abort", fire, { once: true });
    return entry;
  }

  return {
    subscribe(signal, onAbort) {
      const { calls, fire } = waiting.get(signal) ?? open(signal);
      calls.add(onAbort);
      return () => {
        if (!calls.delete(onAbort) || calls.size > 0) return;
        waiting.delete(signal);
        signal.removeEventListener("abort", fire);
      };
    },
  };
}
