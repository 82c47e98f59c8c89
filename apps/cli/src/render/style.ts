// How much of a trace is shown, and in which colours.
import type { Paint } from "./paint.js";

export interface Style {
  readonly paint: Paint;
  /** Cells of a line; `Infinity` where lines may be of any length. */
  readonly columns: number;
  /** Lines of one diff; the rest are counted. */
  readonly maxDiffLines: number;
  /** Lines of what a check, a command or a failing call said. */
  readonly maxOutputLines: number;
}

/** Under a line, what belongs to it. */
export const inset = "      ";

/** The beginning of a line that tells how something went. */
export function marks({ green, red, yellow, cyan, dim }: Paint) {
  return {
    good: green("✓"),
    bad: red("✗"),
    note: yellow("!"),
    again: cyan("↻"),
    wait: yellow("?"),
    quiet: dim("·"),
  } as const;
}
