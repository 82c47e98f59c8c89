// The lines of a report, sent as they are found. Only the first are sent; all are counted.
import type { Progress } from "./progress.js";
import type { MainThread } from "./questions.js";

/** Counts `found`, and sends the lines of as many of them as are still shown. */
export type Report = <Item>(found: readonly Item[], lineOf: (item: Item) => string) => void;

export function reportTo(main: MainThread, progress: Progress, maxShown: number): Report {
  let room = maxShown;
  return (found, lineOf) => {
    progress.add("found", found.length);
    const lines = found.slice(0, room).map(lineOf);
    room -= lines.length;
    if (lines.length > 0) main.post({ type: "found", lines });
  };
}
