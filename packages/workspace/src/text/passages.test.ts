import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, type Encoding, encode, recognise, type TextBytes } from "./decode.js";
import { inStyleOf } from "./line-endings.js";
import { passagesOf, replacePassage } from "./passages.js";

const text = (maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "\r", "é", "–", "😀", "."), minLength, maxLength });
const encodings: readonly Encoding[] = ["utf-8", "utf-8-bom", "utf-16le", "utf-16be"];

function recognised(bytes: Uint8Array): TextBytes {
  const found = recognise(bytes);
  if (found.type === "binary") throw new Error("It is no text.");
  return found;
}

/** What `where` becomes when each occurrence of `search` is replaced alone: tried place by place, on the string. */
function bySlowSearch(where: string, search: string, insert: string): readonly string[] {
  const results: string[] = [];
  for (let start = 0; start < where.length; start += 1) {
    const end = endOf(where, start, search.replaceAll("\r\n", "\n"));
    if (end !== undefined) results.push(where.slice(0, start) + inStyleOf(where, start, insert) + where.slice(end));
  }
  return results;
}

function endOf(where: string, start: number, wanted: string): number | undefined {
  let at = start;
  for (const unit of wanted.split("")) {
    if (unit === "\n" && where.startsWith("\r\n", at)) at += 2;
    else if (where[at] === unit && !(unit === "\n" && where[at - 1] === "\r")) at += 1;
    else return undefined;
  }
  return at;
}

describe("passages of a file", () => {
  it("are found and replaced in its bytes as they would be in its text, whatever its encoding", () => {
    fc.assert(
      fc.property(text(12), text(3, 1), text(3), (where, search, insert) => {
        const expected = bySlowSearch(where, search, insert);
        for (const encoding of encodings) {
          const bytes = encode(where, encoding);
          const found = recognised(bytes);
          const results = passagesOf(found, search).map((passage) => replacePassage(bytes, found, passage, insert));
          expect(results.map((result) => decode(result))).toEqual(
            expected.map((result) => ({ type: "text", text: result, encoding })),
          );
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("are found where they overlap", () => {
    const found = recognised(Buffer.from("aaa"));
    expect(passagesOf(found, "aa")).toEqual([
      { start: 0, end: 2 },
      { start: 1, end: 3 },
    ]);
  });
});
