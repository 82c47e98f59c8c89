// A signal is somebody else's, and one stop button may serve many requests. However many hang on it, it has one listener of ours,
// because Node reports the eleventh on one signal as a leak.

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `notice` once `signal` fires, unless the function returned is called first. A signal that has fired calls nobody. */
export function onAbort(signal: AbortSignal, notice: () => void): () => void {
  const notices = waiting.get(signal) ?? new Set();
  waiting.set(signal, notices.add(notice));
  // The same function every time: a signal takes it once.
  signal.addEventListener("abort", tellAll);
  return () => {
    if (!notices.delete(notice) || notices.size > 0) return;
    waiting.delete(signal);
    signal.removeEventListener("abort", tellAll);
  };
}

function tellAll({ target }: { readonly target: unknown }): void {
  for (const notice of [...(waiting.get(target as AbortSignal) ?? [])]) notice();
}
