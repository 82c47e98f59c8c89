// A unified diff for people.
import { chopped } from "./fit.js";
import { linesOf } from "./printable.js";
import { inset, type Style } from "./style.js";

/** Lines for `diff`: what was added green, what was removed red, what is too much counted. */
export function diffLines(diff: string, style: Style): readonly string[] {
  const { paint, columns, maxDiffLines, isFull, hint } = style;
  if (maxDiffLines === 0) return [];
  const lines = linesOf(diff);
  const rows = isFull ? Number.POSITIVE_INFINITY : undefined;
  const body = lines.findIndex((line) => line.startsWith("@@"));
  const shown = lines.slice(0, maxDiffLines).flatMap((line, index) => {
    const colour = index < body ? paint.bold : colourOf(line, paint);
    return chopped(line, columns - inset.length, rows).map((piece) => inset + colour(piece));
  });
  const left = lines.length - maxDiffLines;
  return left > 0 ? [...shown, inset + paint.dim(`… ${left} more lines${hint}`)] : shown;
}

function colourOf(line: string, { cyan, dim, green, red }: Style["paint"]): Style["paint"]["dim"] {
  if (line.startsWith("@@")) return cyan;
  if (line.startsWith("+")) return green;
  if (line.startsWith("-")) return red;
  return dim;
}
