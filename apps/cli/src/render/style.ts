// How much of a run is shown, and in which colours.
import type { Output } from "../process-terminal.js";
import { type Paint, paintFor } from "./paint.js";

/** How much is shown of what can be long. */
export interface Amount {
  /** Lines of one diff; the rest are counted. 0 for no diffs at all. */
  readonly maxDiffLines: number;
  /** Lines of what a check, a command or a failing call said. */
  readonly maxOutputLines: number;
  /** Lines of what a model says beside its calls. An answer is shown whole. */
  readonly maxAsideLines: number;
  /** What was read and how each command was run, too. */
  readonly isFull: boolean;
  /** How to see the lines that are only counted, to stand behind the count: ` (--full shows them)`. */
  readonly hint: string;
}

export interface Style extends Amount {
  readonly paint: Paint;
  /** Cells of a line; `Infinity` where lines may be of any length. */
  readonly columns: number;
}

/** A run under way is watched as it passes; its trace has the rest. */
export const shownLive: Amount = { maxDiffLines: 40, maxOutputLines: 8, maxAsideLines: 6, isFull: false, hint: "" };

export const shownInTrace: Amount = {
  maxDiffLines: 60,
  maxOutputLines: 20,
  maxAsideLines: 12,
  isFull: false,
  hint: " (--full shows them)",
};

const all = Number.POSITIVE_INFINITY;
/** Nothing is left out. */
export const shownInFull: Amount = {
  maxDiffLines: all,
  maxOutputLines: all,
  maxAsideLines: all,
  isFull: true,
  hint: "",
};

export function styleFor(out: Output, env: Readonly<Record<string, string | undefined>>, amount: Amount): Style {
  return { paint: paintFor(out, env), columns: columnsOf(out), ...amount };
}

/** Where lines are broken; nowhere when nobody's screen has to hold them. */
export function columnsOf({ isTTY, columns }: Output): number {
  // A terminal that does not know its width says 0.
  return isTTY ? Math.max(20, columns || 80) : Number.POSITIVE_INFINITY;
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
