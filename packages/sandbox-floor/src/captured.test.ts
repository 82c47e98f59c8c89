import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headAndTail, newestWindow } from "./captured.js";

/** Bytes as a stream brings them: text with characters of every length, some of it broken, in chunks of any size. */
const bytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme" }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 4 }),
    ),
  )
  .map((parts) => Buffer.concat(parts));
const cuts = fc.array(fc.nat({ max: 7 }), { maxLength: 40 });

function chunks(whole: Buffer, sizes: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    parts.push(whole.subarray(at, at + size));
    at += size;
  }
  return [...parts, whole.subarray(at)];
}

const note = /\n?\[… (\d+) bytes left out …\]\n/;

describe("headAndTail", () => {
  it("gives the whole text, however it arrived, when it fits", () => {
    fc.assert(
      fc.property(bytes, cuts, (whole, sizes) => {
        const capture = headAndTail(Math.max(1, Math.ceil(whole.length / 2)));
        for (const part of chunks(whole, sizes)) capture.push(part);

        expect(capture.captured()).toEqual({ text: whole.toString("utf8"), elidedBytes: 0 });
      }),
    );
  });

  it("gives the first and the last bytes, and counts every other", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20 }), cuts, fc.integer({ min: 1, max: 9 }), (input, sizes, keep) => {
        // One byte a character, so that what was kept can be counted in the text.
        const whole = Buffer.from(input.map((byte) => 0x61 + (byte % 26)));
        const capture = headAndTail(keep);
        for (const part of chunks(whole, sizes)) capture.push(part);
        const { text, elidedBytes } = capture.captured();

        const [head, count, tail] = text.split(note);
        expect([head, tail]).toEqual([whole.toString("utf8", 0, keep), whole.toString("utf8", whole.length - keep)]);
        expect(Number(count)).toBe(elidedBytes);
        expect(elidedBytes).toBe(whole.length - 2 * keep);
      }),
    );
  });

  it("does not halve a character at either cut", () => {
    for (const unit of ["é", "€", "🙂"]) {
      for (let keep = 1; keep < 12; keep += 1) {
        const capture = headAndTail(keep);
        const whole = Buffer.from(unit.repeat(20));
        capture.push(whole);
        const { text, elidedBytes } = capture.captured();

        expect(text).not.toContain("\ufffd");
        expect(Buffer.byteLength(text.replace(note, "")) + elidedBytes).toBe(whole.length);
      }
    }
  });

  it("does not hold on to the memory that a chunk came in", () => {
    const capture = headAndTail(8);
    const reused = Buffer.from("first");
    capture.push(reused);
    reused.fill("x");

    expect(capture.captured().text).toBe("first");
  });
});

describe("newestWindow", () => {
  it("gives everything once, and no character in halves, when it is asked often enough", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), cuts, (text, sizes) => {
        const whole = Buffer.from(text.toWellFormed());
        const window = newestWindow(whole.length + 1);
        const seen = chunks(whole, sizes).map((part) => {
          window.push(part);
          return window.take(false).text;
        });

        expect(seen.join("") + window.take(true).text).toBe(whole.toString("utf8"));
        expect(window.take(true)).toEqual({ text: "", elidedBytes: 0 });
      }),
    );
  });

  it("gives the newest bytes, with the gap counted, when it is not", () => {
    const window = newestWindow(4);
    for (const part of ["ab", "cdefg", "hi"]) window.push(Buffer.from(part));

    expect(window.take(false)).toEqual({ text: "[… 5 bytes left out …]\nfghi", elidedBytes: 5 });
    expect(window.take(false)).toEqual({ text: "", elidedBytes: 0 });
  });

  it("gives half a character when nothing more will come", () => {
    const window = newestWindow(8);
    window.push(Buffer.from([0x61, 0xe2, 0x82]));

    expect(window.take(false).text).toBe("a");
    expect(window.take(true).text).toBe("\ufffd");
  });
});
