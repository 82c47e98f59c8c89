// Why a patch is refused, in the words that a model reads. Nothing is changed in any of these.
import { describe, expect, it } from "vitest";
import { patchText } from "./patch-text.js";

const text = "a\nb\nc\n\tif (x)\nd\ne\nb\nc\n";

function reason(patch: string, of = text): string {
  const patched = patchText(of, patch);
  return patched.type === "refused" ? patched.reason : `patched: ${patched.text}`;
}

describe("a hunk that does not fit", () => {
  it.each([
    [
      "names line, expected and found, and where else its lines stand",
      "@@ -1 +1 @@\n-a\n+A\n@@ -6,2 +6,1 @@\n-b\n c\n",
      'hunk 2 (@@ -6,2 +6,1 @@) does not match the file at line 6: expected "b", found "e". ' +
        "The same lines stand at lines 2, 7: give those numbers or use edit_file.",
    ],
    [
      "says when its lines stand nowhere",
      "@@ -4 +4 @@\n-    if (x)\n+    if (y)\n",
      'hunk 1 (@@ -4 +4 @@) does not match the file at line 4: expected "    if (x)", found "\\tif (x)". ' +
        "Read the file again; every space counts.",
    ],
    [
      "shows what cannot be seen",
      "@@ -5 +5 @@\n-\u200bd\u00a0\n+D\n",
      'hunk 1 (@@ -5 +5 @@) does not match the file at line 5: expected "\\u{200b}d\\u{a0}", found "d". ' +
        "Read the file again; every space counts.",
    ],
    [
      "finds the end of the file",
      "@@ -8,2 +8,1 @@\n c\n-d\n",
      'hunk 1 (@@ -8,2 +8,1 @@) does not match the file at line 9: expected "d", found the end of the file. ' +
        "Read the file again; every space counts.",
    ],
    [
      "has nothing to add behind",
      "@@ -9,0 +10 @@\n+x\n",
      "hunk 1 (@@ -9,0 +10 @@) adds behind line 9, but the file has 8.",
    ],
    [
      "overlaps the one before",
      "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -2,2 +2,2 @@\n b\n-c\n+C\n",
      "hunk 2 (@@ -2,2 +2,2 @@) begins at line 2, but the hunk before it reaches to line 2. " +
        "Give hunks in the order of the file, without overlap.",
    ],
    [
      "comes after one that is further down",
      "@@ -6 +6 @@\n-e\n+E\n@@ -1 +1 @@\n-a\n+A\n",
      "hunk 2 (@@ -1 +1 @@) begins at line 1, but the hunk before it reaches to line 6. " +
        "Give hunks in the order of the file, without overlap.",
    ],
  ])("%s", (_what, patch, expected) => {
    expect(reason(patch)).toBe(expected);
  });

  it("names no more than three other places, and looks for them within bounds", () => {
    expect(reason("@@ -1 +0,0 @@\n-y\n", "x\ny\ny\ny\ny\n")).toMatch(/stand at lines 2, 3, 4 and elsewhere: give/);
    const same = "x\n".repeat(5_000);
    const patch = `@@ -5001,5000 +1,5000 @@\n${" x\n".repeat(4_999)} y\n`;
    expect(reason(patch, same)).toMatch(/^hunk 1 .* at line 5001: expected "x", found the end of the file\. Read/);
  });

  it("says whether a newline at the end is missing or too many", () => {
    const open = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n";
    expect(reason(open, "a\n")).toMatch(/expected "a" without a newline at its end, found it with one/);
    expect(reason("@@ -1 +1 @@\n-a\n+b\n", "a")).toMatch(
      /expected "a" with a newline at its end, found it without one/,
    );
  });

  it.each([
    ["ends the file before its end", "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "a\nc\n"],
    ["adds behind a last line without newline", "@@ -1,0 +2 @@\n+b\n", "a"],
    ["adds behind the end that another made", "@@ -1 +1 @@\n-a\n+a\n\\ No newline\n@@ -1,0 +2 @@\n+b\n", "a\n"],
  ])("that %s would make two lines one", (_what, patch, of) => {
    expect(reason(patch, of)).toMatch(/^hunk \d .* would put a line behind one that has no newline at its end\./);
  });

  it("shows the part of a long line that differs", () => {
    const [there, expected] = ["x".repeat(500), `${"x".repeat(400)}y${"x".repeat(99)}`];
    const said = reason(`@@ -1 +1 @@\n-${expected}\n+z\n`, `${there}\n`);
    expect(said).toContain("xyx");
    expect(said.length).toBeLessThan(500);
  });
});

describe("what is no patch of one file", () => {
  it.each([
    ["has no hunk", "--- a\n+++ b\n", /^it has no hunk\./],
    ["has a header without numbers", "@@\n-a\n+b\n", /^line 1 of the patch \("@@"\) is no hunk header\. Write it like/],
    ["has the header of a merge", "@@@ -1 -1 +1 @@@\n--a\n++b\n", /is no hunk header/],
    ["begins at no line", "@@ -0,1 +1 @@\n-a\n+b\n", /^hunk 1 .* begins at line 0, but the first line is line 1/],
    [
      "counts too few",
      "@@ -1,1 +1,1 @@\n-a\n+A\n b\n",
      /^hunk 1 .* counts 1 old and 1 new lines, but 2 old and 2 new follow .* count them as @@ -1,2 \+1,2 @@\.$/,
    ],
    ["counts too many", "@@ -1,4 +1,3 @@\n-a\n b\n\n", /counts 4 old and 3 new lines, but 2 old and 1 new follow/],
    ["counts old lines that are none", "@@ -5,1 +5,2 @@\n+x\n+y\n", /count them as @@ -4,0 \+5,2 @@\.$/],
    ["counts more on one side", "@@ -1,2 +1 @@\n a\n b\n", /counts 2 old and 1 new lines, but 2 old and 2 new follow/],
    ["has a blank line between hunks", "@@ -1 +1 @@\n-a\n+b\n\n@@ -2 +2 @@\n-b\n+c\n", /counts 1 old and 1 new lines/],
    ["has a line that is of no kind", "@@ -1,2 +1,2 @@\n-a\n+A\nb\n", /counts 2 old and 2 new lines, but 1 old and 1/],
    [
      "has words behind its last hunk",
      "@@ -1 +1 @@\n-a\n+A\n```\n",
      /^line 4 of the patch \("```"\) belongs to no hunk/,
    ],
    [
      "goes on with another file",
      "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+A\n",
      /^line 6 of the patch \("--- a\/y"\) begins another file\. Send the hunks of each file in a call of its own\.$/,
    ],
    [
      "goes on as git has it",
      "@@ -1 +1 @@\n-a\n+A\ndiff --git a/y b/y\n",
      /^line 4 of the patch .* begins another file/,
    ],
    [
      "marks an end in the middle",
      "@@ -1,2 +1 @@\n-a\n\\ No newline\n-b\n+A\n",
      /not behind the last line of either side/,
    ],
    ["marks an end before any line", "@@ -1 +1 @@\n\\ No newline\n-a\n+A\n", /not behind the last line of either side/],
  ])("%s", (_what, patch, expected) => {
    expect(reason(patch)).toMatch(expected);
  });
});
