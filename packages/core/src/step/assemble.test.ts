import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shorten } from "./assemble.js";

const text = fc.string({ unit: "binary", maxLength: 60 });
const limit = fc.integer({ min: 0, max: 40 });

describe("shorten", () => {
  it("leaves text as it is that is short enough in code points", () => {
    fc.assert(
      fc.property(text, (words) => {
        expect(shorten(words, Array.from(words).length)).toBe(words);
      }),
    );
  });

  it("keeps as much of the head as of the tail, splits no character, and counts what is missing", () => {
    fc.assert(
      fc.property(text, limit, (words, most) => {
        const points = Array.from(words);
        fc.pre(points.length > most);
        const half = Math.floor(most / 2);
        const head = points.slice(0, half).join("");
        const tail = points.slice(points.length - half).join("");
        expect(shorten(words, most)).toBe(
          `${head}\n[… ${points.length - 2 * half} of ${points.length} characters left out …]\n${tail}`,
        );
      }),
    );
  });
});
