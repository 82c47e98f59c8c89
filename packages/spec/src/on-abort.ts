// Hanging on a signal that is somebody else's and may outlive everything here: a program gives one stop button to a thousand runs.
// However many hang on it, it has one listener, because Node reports the eleventh on one signal as a leak.

const hanging = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `notice` once `signal` fires, unless the function returned is called first. Those that hang on one signal are called in the
 * order in which they came. A signal that has fired already calls nobody.
 */
export function onAbort(signal: AbortSignal, notice: () => void): () => void {
  const notices = hanging.get(signal) ?? new Set();
  hanging.set(signal, notices.add(notice));
  // The same function every time: a signal takes it once.
  signal.addEventListener("abort", tellAll);
  return () => {
    if (!notices.delete(notice) || notices.size > 0) return;
    hanging.delete(signal);
    signal.removeEventListener("abort", tellAll);
  };
}

function tellAll({ target }: { readonly target: unknown }): void {
  for (const notice of [...(hanging.get(target as AbortSignal) ?? [])]) notice();
}
