import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip, excerpt, gist, linesOf, printable, wrap } from "./printable.js";

const anyText = fc.string({ unit: "binary", maxLength: 60 });

describe("printable", () => {
  it("takes away what would colour, move or retitle the terminal", () => {
    expect(printable("\x1b[31mred\x1b[0m \x1b]0;title\x07done\x1b[2J")).toBe("red done");
  });

  it("shows that something was there which cannot be shown", () => {
    expect(printable("a\x00b\u202ec\x07")).toBe("a\ufffdb\ufffdc\ufffd");
  });

  it("leaves no control character but the line break, whatever comes", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(printable(text)).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

describe("linesOf", () => {
  it("leaves out what is empty at either end", () => {
    expect(linesOf("\n \n a\r\n\n\tb\n\n")).toEqual([" a", "", "    b"]);
    expect(linesOf(" \n")).toEqual([]);
  });
});

describe("excerpt", () => {
  it("keeps the first and the last lines and counts the rest", () => {
    expect(excerpt(["1", "2", "3", "4", "5", "6"], 4)).toEqual(["1", "2", "… 3 more lines", "6"]);
    expect(excerpt(["1", "2"], 2)).toEqual(["1", "2"]);
  });
});

describe("gist", () => {
  it("prefers the lines that say what failed", () => {
    const lines = [...Array(20).fill("ok"), "not ok 7 - adds", "  error: |-", ...Array(9).fill("at line"), "# fail 1"];

    expect(gist(lines, 5)).toEqual(["not ok 7 - adds", "# fail 1"]);
  });

  it("shows head and tail of output that says nothing of failures", () => {
    expect(gist(["a", "b", "c", "d", "e"], 3)).toEqual(["a", "… 3 more lines", "e"]);
  });
});

describe("clip and wrap", () => {
  it("clip puts text on one line that fits", () => {
    expect(clip("one\n two   three", 40)).toBe("one two three");
    expect(clip("one two three", 8)).toBe("one two…");
    expect(clip("漢字かな", 5)).toBe("漢字…");
  });

  it("wrap breaks between words, and keeps them all", () => {
    expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { maxLength: 30 }), (words) => {
        const lines = wrap(words.join(" "), 12);
        expect(lines.join(" ")).toBe(words.join(" "));
        expect(lines.every((line) => line.length <= 12)).toBe(true);
      }),
    );
  });
});
