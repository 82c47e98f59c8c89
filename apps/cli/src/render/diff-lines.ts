// A unified diff for people.

import { linesOf } from "./printable.js";
import { inset, type Style } from "./style.js";

export function diffLines(diff: string, { paint, maxDiffLines }: Style): readonly string[] {
  const lines = linesOf(diff);
  const shown = lines.slice(0, maxDiffLines).map((line) => inset + painted(line, paint));
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, inset + paint.dim(`… ${left} more lines`)] : shown;
}

function painted(line: string, { bold, cyan, dim, green, red }: Style["paint"]): string {
  if (/^(---|\+\+\+) /.test(line)) return bold(line);
  if (line.startsWith("@@")) return cyan(line);
  if (line.startsWith("+")) return green(line);
  if (line.startsWith("-")) return red(line);
  return dim(line);
}
