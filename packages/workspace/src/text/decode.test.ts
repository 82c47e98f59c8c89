import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode } from "./decode.js";

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("decode", () => {
  it.each([
    ["UTF-8", Buffer.from("naïve 😀"), { type: "text", text: "naïve 😀", encoding: "utf-8" }],
    ["UTF-8 with a mark", bytes(0xef, 0xbb, 0xbf, 0x61), { type: "text", text: "a", encoding: "utf-8-bom" }],
    ["UTF-16, little-endian", bytes(0xff, 0xfe, 0x61, 0x00), { type: "text", text: "a", encoding: "utf-16le" }],
    ["UTF-16, big-endian", bytes(0xfe, 0xff, 0x00, 0x61), { type: "text", text: "a", encoding: "utf-16be" }],
    ["a NUL inside UTF-8", bytes(0x61, 0x00), { type: "text", text: "a\0", encoding: "utf-8" }],
    ["nothing", bytes(), { type: "text", text: "", encoding: "utf-8" }],
  ])("reads %s as text", (_what, input, expected) => {
    expect(decode(input)).toEqual(expected);
  });

  it.each([
    ["UTF-16 of odd length", bytes(0xff, 0xfe, 0x61), "binary data"],
    ["UTF-16 with half a pair", bytes(0xff, 0xfe, 0x00, 0xd8), "binary data"],
    ["UTF-32", bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), "UTF-32 text"],
    ["Latin-1", bytes(0x63, 0x61, 0x66, 0xe9), "binary data"],
    ["a PNG", bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), "PNG image"],
    ["a WebP", Buffer.from("RIFF\xff\xff\xff\xffWEBP", "latin1"), "WebP image"],
    ["gzip", bytes(0x1f, 0x8b, 0x08), "gzip archive"],
    ["ELF", Buffer.from("\x7fELF\xff", "latin1"), "ELF program"],
  ])("calls %s binary", (_what, input, kind) => {
    expect(decode(input)).toEqual({ type: "binary", kind });
  });

  it.each(["a", "é", "–", "😀", "\0"])("reads long text of %j and gives it back", (character) => {
    const text = `\ufeff${character.repeat(70_000)}end`;
    for (const encoding of ["utf-8", "utf-8-bom", "utf-16le", "utf-16be"] as const) {
      const written = encoding === "utf-8" ? text.slice(1) : text;
      expect(decode(encode(written, encoding))).toEqual({ type: "text", text: written, encoding });
    }
  });

  it("writes a long text whose pairs lie across every boundary", () => {
    for (const start of ["", "a"]) {
      const text = `${start}${"😀".repeat(100_000)}`;
      expect(Buffer.from(encode(text, "utf-8")).equals(Buffer.from(text))).toBe(true);
    }
  });

  it("finds the one wrong byte in a long text", () => {
    const input = Buffer.from("–".repeat(40_000));
    input[60_001] = 0xff;
    expect(decode(input)).toEqual({ type: "binary", kind: "binary data" });
  });

  it("writes half a surrogate pair as a replacement, in a long text as in a short one", () => {
    for (const length of [1, 70_000]) {
      const rest = "–".repeat(length);
      expect(Buffer.from(encode(`${rest}\ud800`, "utf-8")).toString()).toBe(`${rest}\ufffd`);
    }
  });

  it("gives back the bytes that it read, whatever they are", () => {
    const marked = fc
      .tuple(fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]), fc.uint8Array())
      .map(([mark, rest]) => Uint8Array.from([...mark, ...rest]));
    const text = fc.string({ unit: "binary" }).map((value) => Buffer.from(value, "utf8"));
    fc.assert(
      fc.property(fc.oneof(marked, text), (input) => {
        const decoded = decode(input);
        fc.pre(decoded.type === "text");
        expect(Buffer.from(encode(decoded.text, decoded.encoding))).toEqual(Buffer.from(input));
      }),
    );
  });
});
