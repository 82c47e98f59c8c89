import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inStyleOf, isCrlf } from "./line-endings.js";
import { codePoints, excerpt, splitLines } from "./lines.js";

const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "\r", "é", "😀") });

describe("lines", () => {
  it("end at a newline, and a last newline begins none", () => {
    expect(splitLines("a\nb\n")).toEqual(["a\n", "b\n"]);
    expect(splitLines("a\r\n\nb")).toEqual(["a\r\n", "\n", "b"]);
    expect(splitLines("")).toEqual([]);
  });

  it("join to the text they came from", () => {
    fc.assert(fc.property(text, (value) => splitLines(value).join("") === value));
  });

  it("are counted in code points", () => {
    fc.assert(fc.property(text, (value) => codePoints(value) === [...value].length));
  });

  it("are shortened around the hit without splitting a character", () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 4, max: 20 }), (value, at, length) => {
        const start = value.length === 0 ? 0 : at % value.length;
        const short = excerpt(value, start, length);
        expect(short.isWellFormed()).toBe(true);
        expect(short.length).toBeLessThanOrEqual(length + 3);
        const bare = short.replaceAll("…", "");
        expect(value).toContain(bare);
        // What the hit begins with is in sight.
        expect(bare).toContain(value.slice(start, start + 1).isWellFormed() ? value.slice(start, start + 1) : "");
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("line endings", () => {
  it("are CRLF when every one is", () => {
    expect(["a\r\nb\r\n", "\r\n", "a\r\nb\n", "\n", "a", ""].map(isCrlf)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("of an insertion are those of the line it goes into", () => {
    expect(inStyleOf("a\r\nb\n", 0, "x\ny")).toBe("x\r\ny");
    expect(inStyleOf("a\r\nb\n", 3, "x\r\ny")).toBe("x\ny");
    expect(inStyleOf("a\r\nb", 3, "x\ny")).toBe("x\r\ny");
    expect(inStyleOf("a", 0, "x\r\ny\nz")).toBe("x\r\ny\nz");
  });
});
