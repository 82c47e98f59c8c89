// Spans of time in a few characters.

/** What took less was no wait, and saying how long it took tells nobody anything. */
export const shortestWaitMs = 100;

/** `40 ms`, `1.3 s`, `12 s`, `4 min`, `3 h`, `12 d`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 99.5) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  const hours = seconds / 3_600;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} d`;
}
