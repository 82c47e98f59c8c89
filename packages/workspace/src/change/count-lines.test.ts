import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encode } from "../text/decode.js";
import { countChangedLines } from "./count-lines.js";
import { compareLines } from "./line-changes.js";

const line = fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "a", "é\n", "ä\n", "–");
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(""));
const encoding = fc.constantFrom("utf-8", "utf-8-bom", "utf-16le", "utf-16be");

describe("counting changed lines", () => {
  it("comes to what comparing line by line does, whatever the encodings", () => {
    fc.assert(
      fc.property(text, text, encoding, encoding, (before, after, first, second) => {
        const { added, removed } = compareLines(before, after);
        expect(countChangedLines(encode(before, first), encode(after, second))).toEqual({ added, removed });
      }),
      { numRuns: 1_000 },
    );
  });

  it("does so across the blocks in which large files are compared", () => {
    const lines = (count: number, word: string) => `${word}\n`.repeat(count);
    const same = lines(20_000, "the same line");
    const between = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }), fc.boolean());
    fc.assert(
      fc.property(between, ([old, fresh, ends]) => {
        const before = `${same}${lines(old, "old")}${same}${ends ? "end" : ""}`;
        const after = `${same}${lines(fresh, "new")}${same}${ends ? "end" : ""}`;
        expect(countChangedLines(Buffer.from(before), Buffer.from(after))).toEqual({ added: fresh, removed: old });
      }),
      { numRuns: 20 },
    );
  });

  it("counts no lines of what is not text, or not there", () => {
    const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
    expect(countChangedLines(null, Buffer.from("a\nb"))).toEqual({ added: 2, removed: 0 });
    expect(countChangedLines(png, Buffer.from("a\n"))).toEqual({ added: 1, removed: 0 });
    expect(countChangedLines(Buffer.from("a\n"), png)).toEqual({ added: 0, removed: 1 });
  });
});
