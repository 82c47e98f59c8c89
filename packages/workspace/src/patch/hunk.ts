// A hunk as it is applied: where in the original, and which lines. What its header says of the new file is not kept,
// because only the original can confirm a position.

export interface HunkLine {
  /** As in the patch: kept, removed or added. */
  readonly mark: " " | "-" | "+";
  /** Ends with a newline, unless the patch says that the file does not. A `\r` before it belongs to the text. */
  readonly text: string;
}

export interface Hunk {
  /** As messages name it: `hunk 2 (@@ -10,3 +10,4 @@)`. */
  readonly name: string;
  /** How many lines of the original lie before it. */
  readonly at: number;
  readonly lines: readonly HunkLine[];
}

/** The lines that must be in the original. */
export function oldLines({ lines }: Hunk): readonly string[] {
  return lines.filter(({ mark }) => mark !== "+").map(({ text }) => text);
}

const opposite = { " ": " ", "-": "+", "+": "-" } as const;

/** The hunks that lead back from what `hunks` leave. */
export function inverse(hunks: readonly Hunk[]): readonly Hunk[] {
  let shift = 0;
  return hunks.map(({ name, at, lines }) => {
    const inverted = { name, at: at + shift, lines: lines.map(({ mark, text }) => ({ mark: opposite[mark], text })) };
    for (const { mark } of lines) shift += mark === "+" ? 1 : mark === "-" ? -1 : 0;
    return inverted;
  });
}
