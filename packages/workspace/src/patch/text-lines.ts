// A text by line numbers, without a string for every line: a patch looks at few of them, and a file may have a million.

export interface TextLines {
  readonly length: number;
  /** The line with its ending; `undefined` where there is none. */
  line(index: number): string | undefined;
  /** Lines from `start` up to `end`. */
  between(start: number, end: number): string;
}

/** The lines of `text`, counted from 0. A last newline ends a line and begins none. */
export function textLines(text: string): TextLines {
  const starts: number[] = [];
  for (let start = 0; start < text.length; ) {
    starts.push(start);
    const newline = text.indexOf("\n", start);
    start = newline === -1 ? text.length : newline + 1;
  }
  const offset = (index: number) => starts[index] ?? text.length;
  return {
    length: starts.length,
    line: (index) => (index in starts ? text.slice(offset(index), offset(index + 1)) : undefined),
    between: (start, end) => text.slice(offset(start), offset(end)),
  };
}
