import { describe, expect, it } from "vitest";
import { diffLines } from "./diff-lines.js";
import { plainStyle } from "./log.test-support.js";
import type { Paint } from "./paint.js";

const named = (name: string) => (text: string) => `${name}(${text})`;
const paint: Paint = {
  bold: named("bold"),
  dim: named("dim"),
  red: named("red"),
  green: named("green"),
  yellow: named("yellow"),
  cyan: named("cyan"),
};
const diff = "--- a/q.sql\n+++ b/q.sql\n@@ -1,3 +1,3 @@\n same\n--- an old remark\n+-- a new remark\n++++ pluses\n";

describe("a diff", () => {
  it("is painted by what each line is, also where code looks like a heading", () => {
    expect(diffLines(diff, { ...plainStyle, paint })).toEqual([
      "      bold(--- a/q.sql)",
      "      bold(+++ b/q.sql)",
      "      cyan(@@ -1,3 +1,3 @@)",
      "      dim( same)",
      "      red(--- an old remark)",
      "      green(+-- a new remark)",
      "      green(++++ pluses)",
    ]);
  });

  it("is cut at its limit with a count and what shows the rest; at a limit of 0 there is none", () => {
    const style = { ...plainStyle, maxDiffLines: 3 };

    expect(diffLines(diff, style).at(-1)).toBe("      … 4 more lines (--full shows them)");
    expect(diffLines(diff, { ...style, maxDiffLines: 0 })).toEqual([]);
    expect(diffLines(diff, { ...style, maxDiffLines: 7 })).toHaveLength(7);
  });

  it("paints a line that is broken in one colour", () => {
    const long = `--- a\n+++ b\n@@ -0,0 +1 @@\n+${"word ".repeat(9)}`;

    expect(diffLines(long, { ...plainStyle, paint, columns: 36 }).slice(3)).toEqual([
      "      green(+word word word word word )",
      "      green(↪ word word word word)",
    ]);
  });

  it("cannot steer the terminal", () => {
    expect(diffLines("@@ -1 +1 @@\n+\x1b[2Jgone", plainStyle)).toEqual(["      @@ -1 +1 @@", "      +gone"]);
  });
});
