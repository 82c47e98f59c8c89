// Patches of generated texts: what a generator writes applies to the very text, and no damaged patch applies at all.
import type { StructuredPatch } from "diff";
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareLines, unifiedDiff } from "../change/line-changes.js";
import { patchText, unpatchText } from "./patch-text.js";

// Lines that look like the parts of a patch, that repeat, that are hard to see, and that hold what is no line ending.
const line = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "b",
    "- x",
    "-- x",
    "++ y",
    "@@ -1 +1 @@",
    "\\ No newline at end of file",
    "a\rb",
    "\r",
    "\ufeffé😀",
  ),
  fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => text.replace(/[\r\n]/g, "")),
);

const plainLine = line.filter((text) => !text.includes("\r"));

interface Drawing {
  readonly ending: fc.Arbitrary<string>;
  readonly from?: fc.Arbitrary<string>;
  /** Renames the lines of the first text. */
  readonly named?: (text: string, index: number) => string;
}

/** A text and one that came of it: some of its lines, and others. Either may lack a newline at its end. */
function texts({ ending, from = line, named = (text) => text }: Drawing): fc.Arbitrary<readonly [string, string]> {
  const drawnLine = fc.tuple(from, ending);
  const lines = fc.array(drawnLine, { maxLength: 12 });
  const change = fc.record({ keep: fc.boolean(), insert: fc.array(drawnLine, { maxLength: 2 }) });
  const rewriting = fc.array(change, { minLength: 13, maxLength: 13 });
  return fc.tuple(lines, rewriting, fc.boolean(), fc.boolean()).map(([drawn, changes, oldIsOpen, freshIsOpen]) => {
    const old = drawn.map(([text, end], index) => [named(text, index), end] as const);
    const fresh = changes.flatMap(({ keep, insert }, index) => {
      const kept = old[index];
      return kept && keep ? [kept, ...insert] : insert;
    });
    return [joined(old, oldIsOpen), joined(fresh, freshIsOpen)];
  });
}

function joined(lines: readonly (readonly [string, string])[], isOpen: boolean): string {
  const text = lines.flat().join("");
  return isOpen ? text.replace(/\r?\n$/, "") : text;
}

const mixed = fc.constantFrom("\n", "\r\n");
const anyTexts = fc.oneof(...[fc.constant("\n"), fc.constant("\r\n"), mixed].map((ending) => texts({ ending })));
const lfTexts = texts({ ending: fc.constant("\n"), from: plainLine });
const crlf = (text: string) => text.replaceAll("\n", "\r\n");

function generated(before: string, after: string, context: number): string {
  return formatPatch(
    structuredPatch("a/x", "b/x", before, after, undefined, undefined, { context }),
    FILE_HEADERS_ONLY,
  );
}

const patched = (text: string) => ({ type: "patched", text });
const refused = { type: "refused", reason: expect.any(String) };

describe("a generated patch", () => {
  it("makes the one text of the other, and can be taken back", () => {
    fc.assert(
      fc.property(anyTexts, fc.integer({ min: 1, max: 3 }), ([before, after], context) => {
        fc.pre(before !== after);
        const patch = generated(before, after, context);
        expect(patchText(before, patch)).toEqual(patched(after));
        expect(unpatchText(after, patch)).toBe(before);
      }),
      { numRuns: 1_000 },
    );
  });

  it("applies without any context where all line endings are the same", () => {
    fc.assert(
      fc.property(lfTexts, ([before, after]) => {
        fc.pre(before !== after);
        expect(patchText(before, generated(before, after, 0))).toEqual(patched(after));
        expect(patchText(crlf(before), generated(crlf(before), crlf(after), 0))).toEqual(patched(crlf(after)));
      }),
      { numRuns: 300 },
    );
  });

  it("applies when it is the diff that a write was reported with", async () => {
    await fc.assert(
      fc.asyncProperty(anyTexts, async ([before, after]) => {
        fc.pre(before !== after);
        const diff = await unifiedDiff("x", false, compareLines(before, after));
        expect(patchText(before, diff)).toEqual(patched(after));
      }),
      { numRuns: 300 },
    );
  });

  it("written with LF changes the same lines of the CRLF file, and the other way round", () => {
    // A file without a single line ending has no style to keep.
    const styled = lfTexts.filter(([before, after]) => before !== after && before.includes("\n"));
    fc.assert(
      fc.property(styled, fc.integer({ min: 0, max: 3 }), ([before, after], context) => {
        const patch = generated(before, after, context);
        expect(patchText(crlf(before), patch)).toEqual(patched(crlf(after)));
        expect(patchText(before, crlf(patch))).toEqual(patched(after));
        expect(patchText(crlf(before), crlf(patch))).toEqual(patched(crlf(after)));
      }),
      { numRuns: 300 },
    );
  });
});

type Hunk = StructuredPatch["hunks"][number];

// Each is told where: `at` is any natural number. `undefined` where the hunk has nothing of the kind.
const damages: Readonly<Record<string, (hunk: Hunk, at: number) => Hunk | undefined>> = {
  "expects another line": (hunk, at) => changed(hunk, at, /^[ -]/, (text) => [`${text}≠`]),
  "has lost a line": (hunk, at) => changed(hunk, at, /^[^\\]/, () => []),
  "has a line twice": (hunk, at) => changed(hunk, at, /^[^\\]/, (text) => [text, text]),
  "counts an old line too many": (hunk) => ({ ...hunk, oldLines: hunk.oldLines + 1 }),
  "counts a new line too few": (hunk) => ({ ...hunk, newLines: hunk.newLines - 1 }),
  "stands further down": (hunk, at) => moved(hunk, 1 + (at % 20)),
  "stands further up": (hunk, at) => (hunk.oldStart > 1 ? moved(hunk, -1 - (at % (hunk.oldStart - 1))) : undefined),
};

function changed(hunk: Hunk, at: number, which: RegExp, change: (text: string) => readonly string[]): Hunk | undefined {
  const places = hunk.lines.flatMap((text, index) => (which.test(text) ? [index] : []));
  const place = places[at % places.length];
  if (place === undefined) return undefined;
  return { ...hunk, lines: hunk.lines.flatMap((text, index) => (index === place ? change(text) : [text])) };
}

function moved(hunk: Hunk, by: number): Hunk | undefined {
  return hunk.oldLines === 0 ? undefined : { ...hunk, oldStart: hunk.oldStart + by };
}

describe("a damaged patch", () => {
  // All lines of the text are different, so that no hunk fits in two places.
  const distinct = texts({ ending: mixed, named: (text, index) => `${index} ${text}` });

  it.each(Object.entries(damages))("changes nothing when a hunk %s", (_what, damage) => {
    fc.assert(
      fc.property(distinct, fc.nat(), fc.nat(), ([before, after], which, at) => {
        const patch = structuredPatch("a/x", "b/x", before, after, undefined, undefined, { context: 1 });
        const target = which % Math.max(1, patch.hunks.length);
        const hunk = patch.hunks[target];
        const damaged = hunk && damage(hunk, at);
        fc.pre(damaged !== undefined);
        const hunks = patch.hunks.map((other, index) => (index === target ? damaged : other));
        expect(patchText(before, formatPatch({ ...patch, hunks }, FILE_HEADERS_ONLY))).toEqual(refused);
      }),
      { numRuns: 200 },
    );
  });

  it("changes nothing when its hunks are in another order", () => {
    fc.assert(
      fc.property(distinct, ([before, after]) => {
        const patch = structuredPatch("a/x", "b/x", before, after, undefined, undefined, { context: 1 });
        fc.pre(patch.hunks.length > 1);
        const hunks = patch.hunks.toReversed();
        expect(patchText(before, formatPatch({ ...patch, hunks }, FILE_HEADERS_ONLY))).toEqual(refused);
      }),
      { numRuns: 30 },
    );
  });

  it("is answered whatever it is", () => {
    const piece = fc.oneof(
      line,
      fc.constantFrom("@@ -1,2 +1 @@", "@@ -0,0 +1 @@", " a", "-a", "+b", "\\ No newline", "--- x", "+++ y"),
    );
    const patch = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join("\n"));
    fc.assert(
      fc.property(fc.constantFrom("", "a", "a\n", "a\na\n"), patch, (text, given) => {
        expect(patchText(text, given).type).toMatch(/^(patched|refused)$/);
        unpatchText(text, given);
      }),
      { numRuns: 1_000 },
    );
  });
});
