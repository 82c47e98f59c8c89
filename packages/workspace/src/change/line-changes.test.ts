import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareLines, unifiedDiff } from "./line-changes.js";

const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("");

async function diffOf(before: string, after: string): Promise<string> {
  return unifiedDiff("src/a.ts", false, compareLines(before, after));
}

describe("compareLines", () => {
  it("counts what lies between the common head and tail", () => {
    expect(compareLines("a\nb\nc\n", "a\nx\ny\nc\n")).toMatchObject({ added: 2, removed: 1 });
    expect(compareLines("a\na\n", "a\na\na\n")).toMatchObject({ added: 1, removed: 0 });
    expect(compareLines("", "a\n")).toMatchObject({ added: 1, removed: 0 });
    expect(compareLines("a", "a\n")).toMatchObject({ added: 1, removed: 1 });
  });
});

describe("unifiedDiff", () => {
  it("names both sides and shows three lines around", async () => {
    const before = numbered(9, "line");
    expect(await diffOf(before, before.replace("line 4", "LINE 4"))).toBe(
      [
        "--- a/src/a.ts",
        "+++ b/src/a.ts",
        "@@ -2,7 +2,7 @@",
        " line 1",
        " line 2",
        " line 3",
        "-line 4",
        "+LINE 4",
        " line 5",
        " line 6",
        " line 7",
        "",
      ].join("\n"),
    );
  });

  it("shows a new file as coming from nothing", async () => {
    const diff = await unifiedDiff("a", true, compareLines("", "x"));
    expect(diff).toBe("--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n");
  });

  it("writes a rewrite of a long file as one hunk that still applies", async () => {
    const around = numbered(5, "same");
    const before = around + numbered(3_000, "old") + around;
    const after = `${around}${numbered(3_000, "new")}${around}tail without newline`;
    const diff = await diffOf(before, after);
    expect(diff.match(/^@@/gm)).toHaveLength(1);
    expect(applyPatch(before, diff)).toBe(after);
  });

  it("writes a long new file and the emptying of a long one so that they apply", async () => {
    const long = numbered(1_000, "line");
    expect(applyPatch("", await diffOf("", long))).toBe(long);
    expect(applyPatch(long, await diffOf(long, ""))).toBe("");
  });

  it("turns the one text into the other", async () => {
    const text = fc
      .array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "d"), { maxLength: 30 })
      .map((lines) => lines.join(""));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after);
        expect(applyPatch(before, await diffOf(before, after), { autoConvertLineEndings: false })).toBe(after);
      }),
    );
  });
});
