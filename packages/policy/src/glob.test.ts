import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { covers, glob } from "./glob.js";

/** The definition of the language, too slow for use. Over code points. */
function oracle([token, ...pattern]: readonly string[], text: readonly string[]): boolean {
  if (token === undefined) return text.length === 0;
  if (token === "*") return oracle(pattern, text) || (text.length > 0 && oracle([token, ...pattern], text.slice(1)));
  if (text.length === 0) return false;
  return (token === "?" || token === text[0]) && oracle(pattern, text.slice(1));
}

const letters = (...from: readonly string[]) => fc.string({ unit: fc.constantFrom(...from), maxLength: 8 });
const patterns = letters("a", "b", "/", "*", "?", "😀", "\n");
const texts = letters("a", "b", "/", "😀", "\n");

describe("glob", () => {
  it.each([
    ["*", "", true],
    ["*", "a/b\nc", true],
    ["**", "a/b", true],
    ["a/**", "a/b/c", true],
    ["a*c", "a/\nc", true],
    ["a?c", "a😀c", true],
    ["a?c", "a/c", true],
    ["a?c", "a\nc", true],
    ["a??c", "a😀c", false],
    ["*??", "😀", false],
    ["?", "", false],
    ["", "", true],
    ["", "a", false],
    ["a", "ab", false],
    ["b", "ab", false],
    ["ab*ba", "aba", false],
    ["[a-z]", "b", false],
    ["[a-z]", "[a-z]", true],
    ["{a,b}", "a", false],
    ["!a", "b", false],
    ["a.c", "abc", false],
    ["a+(b)\\*", "a+(b)\\x", true],
    ["README", "readme", false],
  ])("says of %j on %j: %s", (pattern, text, expected) => {
    expect(glob(pattern)(text)).toBe(expected);
  });

  it("agrees with a naive recursive matcher on any pattern and text", () => {
    const pairs = fc.tuple(patterns, texts);
    fc.assert(
      fc.property(pairs, ([pattern, text]) => {
        expect(glob(pattern)(text)).toBe(oracle([...pattern], [...text]));
      }),
      { numRuns: 3000 },
    );
  });

  it("agrees with it on patterns made from the text, which nearly match", () => {
    const near = texts.chain((text) => {
      const part = (letter: string) => fc.constantFrom(letter, letter, "*", "?", "*a*", "");
      return fc.tuple(
        fc.tuple(...[...text].map(part)).map((parts) => parts.join("")),
        fc.constant(text),
      );
    });
    fc.assert(
      fc.property(near, ([pattern, text]) => {
        expect(glob(pattern)(text)).toBe(oracle([...pattern], [...text]));
      }),
      { numRuns: 3000 },
    );
  });

  it("answers for a pattern of many stars on a long text that almost matches", () => {
    expect(glob(`${"*a".repeat(30)}*b`)("a".repeat(20_000))).toBe(false);
  });
});

describe("covers", () => {
  it.each([
    ["*", "src/*", true],
    ["src/*", "src/*", true],
    ["src/*", "src/a/*", true],
    ["src/*", "src/?", true],
    ["a?", "a?", true],
    ["src/*", "*", false],
    ["a?", "a*", false],
    ["ab", "a?", false],
    ["src/*", "src*", false],
  ])("says of %j over %j: %s", (outer, inner, expected) => {
    expect(covers(outer, inner)).toBe(expected);
  });

  it("never claims more than is so", () => {
    const replaced = (token: string, by: readonly string[]) => fc.constantFrom(token, token, ...by);
    const related = patterns.chain((inner) => {
      const outer = fc.tuple(...[...inner].map((token) => replaced(token, ["*", "?", "*?"])));
      const text = fc.tuple(
        ...[...inner].map((token) => (token === "*" ? texts : replaced(token, token === "?" ? ["a", "😀"] : []))),
      );
      return fc.record({
        inner: fc.constant(inner),
        outer: outer.map((parts) => parts.join("")),
        text: text.map((parts) => parts.join("")),
      });
    });
    fc.assert(
      fc.property(related, ({ inner, outer, text }) => {
        expect(glob(inner)(text)).toBe(true);
        if (covers(outer, inner)) expect(glob(outer)(text)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
