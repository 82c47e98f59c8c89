// The fast search against the plain one, over texts and patterns made of what tells them apart.
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matcherOf } from "./matcher.js";
import { patternFacts } from "./pattern-facts.js";
import { patternParts } from "./pattern-parts.js";
import { searchableText, searchText } from "./search-text.js";

function plainly(bytes: Uint8Array, pattern: string) {
  const text = searchableText(bytes);
  return text === undefined ? undefined : searchText(text, new RegExp(pattern, "u"));
}

const character = fc.constantFrom("a", "b", "_", " ", "\t", "0", "é", "😀", "\u2028", "\u2029", "\ufeff", "\r");
const piece = fc.oneof(
  { weight: 6, arbitrary: character },
  { weight: 3, arbitrary: fc.constantFrom("\n", "\r\n") },
  { weight: 1, arbitrary: fc.constantFrom("ab_0", "\r\r\n", "\n\n", "\0") },
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join("")));
const bytes = fc.oneof(
  { weight: 8, arbitrary: text },
  { weight: 1, arbitrary: text.map((valid) => Buffer.concat([valid, Buffer.from([0xe9])])) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)) },
);

const atom = fc.constantFrom(
  ...[
    "a",
    "b",
    "_",
    "0",
    "ab",
    "é",
    "😀",
    "\\.",
    "\\/",
    ".",
    "\\u{e9}",
    "\\ud83d\\ude00",
    "\\u000a",
    "\\x61",
    "\n",
    "\r",
  ],
  ...[
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "[ab]",
    "[^a]",
    "[^\\n]",
    "[\\s\\S]",
    "[^]",
    "[]",
    "[\\]a[]",
    "\\n",
    "\\t",
    "\\cJ",
  ],
  ...["\\p{L}", "\\P{L}", "\\p{Cc}", "\\u2028", "\\ufeff", "[^\\]\\u2028]"],
);
const edge = fc.constantFrom("^", "$", "\\b", "\\B");
const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{0}", "{1,2}", "{0,2}", "{2,}", "*?", "+?", "??");
// Groups are not repeated without end, or some patterns would explode.
const groupQuantifier = fc.constantFrom("", "?", "{0}", "{1,2}", "??");

const { pattern } = fc.letrec<{ pattern: string; sequence: string; item: string; group: string }>((tie) => ({
  pattern: fc.oneof(
    { weight: 4, arbitrary: tie("sequence") },
    { weight: 1, arbitrary: fc.tuple(tie("sequence"), tie("sequence")).map((either) => either.join("|")) },
  ),
  sequence: fc.array(tie("item"), { minLength: 1, maxLength: 4 }).map((items) => items.join("")),
  item: fc.oneof(
    { depthSize: "small" },
    { weight: 6, arbitrary: fc.tuple(atom, quantifier).map((item) => item.join("")) },
    { weight: 2, arbitrary: edge },
    { weight: 1, arbitrary: tie("group") },
  ),
  group: fc
    .tuple(fc.constantFrom("(", "(?:", "(?=", "(?!", "(?<=", "(?<!"), tie("pattern"), groupQuantifier)
    .map(([open, inside, times]) => `${open}${inside})${/[=!]$/.test(open) ? "" : times}`),
}));

describe("the search through whole texts", () => {
  it("finds what the search line by line finds", () => {
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 1, maxLength: 4 }), pattern, (files, source) => {
        const match = matcherOf(source);
        for (const file of files) expect(match(file)).toEqual(plainly(file, source));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ["(a)\\1|\\k<n>(?<n>b)", "aa\nb\nab\n"],
    ["^", "a\n\nb\r\n"],
    ["$", "\r\n\n"],
    ["a$", "a\rb\na\r\n\u2028a"],
    ["^a", "\nb\u2028a\r\na"],
    ["[^b]+$", "a\nb\n"],
    ["(?<!\\n)a", "b\na"],
    ["x", `a\n${"y".repeat(9_000)}x${"z".repeat(9_000)}\r\nx\0`],
    ["\ud800", "a"],
    ["\\ud83d", "😀"],
  ])("agrees on %j in %j", (source, content) => {
    const file = Buffer.from(content);
    expect(matcherOf(source)(file)).toEqual(plainly(file, source));
  });

  it("loses no part of a pattern", () => {
    fc.assert(
      fc.property(pattern, (source) => {
        expect(
          patternParts(source)
            .map((part) => part.source)
            .join(""),
        ).toBe(source);
      }),
    );
  });
});

describe("the facts about a pattern", () => {
  it.each([
    ["needle", "needle"],
    ["ab|abc", undefined],
    ["(ab|cd)efg", "efg"],
    ["\\bfoo\\.bar\\b", "foo.bar"],
    ["fo+ba?rbaz", "rbaz"],
    ["[a-z]+_\\d{4}", "_"],
    ["a{0}b*", undefined],
    ["(?=needle)n", "n"],
    ["\\w+", undefined],
  ])("of %j include the text that every hit holds", (source, literal) => {
    expect(patternFacts(source).literal).toBe(literal);
  });

  it("leave patterns that look around or back to the search by lines", () => {
    for (const source of ["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>"]) {
      expect(patternFacts(source).anywhere).toBeUndefined();
    }
    expect(patternFacts("a[^b]\\s\\D.").anywhere?.source).toBe("a[^\\nb](?:(?!\\n)\\s)(?:(?!\\n)\\D).");
  });
});
