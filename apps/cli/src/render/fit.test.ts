import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chopped, hanging } from "./fit.js";
import { width } from "./printable.js";

describe("a sentence that does not fit", () => {
  it("goes on under itself, between words", () => {
    expect(hanging("  ✗ edit_file refused  write a.ts is denied", 24)).toEqual([
      "  ✗ edit_file refused",
      "      write a.ts is",
      "      denied",
    ]);
    expect(hanging("as it is", 8)).toEqual(["as it is"]);
  });

  it("is measured without its colours", () => {
    const line = "\x1b[31mred\x1b[39m and \x1b[32mgreen\x1b[39m";

    expect(hanging(line, 13)).toEqual([line]);
  });

  it("keeps every word, in lines that fit", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 30 }), (words) => {
        const lines = hanging(words.join(" "), 20);
        expect(lines.join(" ").split(/\s+/)).toEqual(words);
        expect(lines.every((line) => width(line) <= 20)).toBe(true);
      }),
    );
  });
});

describe("a line of code that does not fit", () => {
  it("is broken behind a space where there is one near, and marked where it goes on", () => {
    expect(chopped("const answer = compute(6, 7);", 20)).toEqual(["const answer = ", "↪ compute(6, 7);"]);
    expect(chopped("x".repeat(25), 20)).toEqual(["x".repeat(20), `↪ ${"x".repeat(5)}`]);
  });

  it("is shown to a limit, and the rest is counted", () => {
    const rows = chopped("x".repeat(100), 10, 2);

    expect(rows).toEqual(["x".repeat(10), `↪ ${"x".repeat(8)}`, "… 82 more characters of this line"]);
  });

  it("keeps every character, in rows that fit, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), fc.integer({ min: 8, max: 40 }), (text, columns) => {
        const line = text.replace(/\p{Cc}/gu, "");
        const rows = chopped(line, columns, Number.POSITIVE_INFINITY);
        expect(rows.map((row, index) => (index === 0 ? row : row.slice(2))).join("")).toBe(line);
        expect(rows.every((row) => width(row) <= columns)).toBe(true);
      }),
    );
  });
});
