// Text as lines. A line keeps its ending, so that joining lines gives the text back; a last newline ends a line and begins
// none.

/** The lines of `text`, endings included. Empty text has none. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Unicode code points in `text`; half of a surrogate pair counts as one. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index += 1) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) pairs += 1;
  }
  return text.length - pairs;
}

/** About `length` code units of `line` around the part at `start`, `…` for what is left out. Never splits a pair. */
export function excerpt(line: string, start: number, length: number): string {
  if (line.length <= length) return line;
  const from = Math.max(0, Math.min(start - Math.floor(length / 3), line.length - length));
  const [first, end] = [wholeAt(line, from), wholeAt(line, from + length)];
  return `${first > 0 ? "…" : ""}${line.slice(first, end)}${end < line.length ? "…" : ""}`;
}

function wholeAt(text: string, index: number): number {
  const splits = index > 0 && isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1));
  return splits ? index - 1 : index;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
