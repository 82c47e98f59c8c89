import { systemClock } from "@harness/spec";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerReader } from "./answer-reader.js";
import { fakeWire, request } from "./fake-wire.test-support.js";

const answer = { headers: {}, startedAt: 0, libraries: { createParser }, clock: systemClock() };

/** What a decoder is given when the bytes come in these pieces. */
function payloads(pieces: readonly Uint8Array[], headers: Readonly<Record<string, string>> = {}): readonly string[] {
  const seen: string[] = [];
  const context = { ...answer, headers, provider: "acme", model: "m1", request, onDelta: undefined };
  const reader = answerReader(fakeWire(seen), context);
  for (const piece of pieces) reader.push(piece);
  reader.flush();
  return seen;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** `bytes` cut at `cuts`. */
function split(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...places, bytes.length].map((end, at) => bytes.subarray(places[at - 1] ?? 0, end));
}

const everyByte = (bytes: Uint8Array) => [...bytes].map((byte) => Uint8Array.of(byte));

describe("an answer, however its bytes are split", () => {
  it("hands on the same payloads, whatever the framing", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", '"', ":", " "), minLength: 1, maxLength: 8 });
    const framing = fc.record({
      bom: fc.constantFrom("", "\uFEFF"),
      lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
      space: fc.boolean(),
      comment: fc.boolean(),
      event: fc.boolean(),
      isClosed: fc.boolean(),
    });
    const events = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });

    fc.assert(
      fc.property(events, framing, fc.array(fc.nat(), { maxLength: 12 }), (lines, frame, cuts) => {
        const { lineEnd } = frame;
        const blocks = lines.map((data) =>
          [
            ...(frame.comment ? [": still here", ""] : []),
            ...(frame.event ? ["event: delta", "id: 7"] : []),
            ...data.map((line) => `data:${frame.space || line.startsWith(" ") ? " " : ""}${line}`),
          ].join(lineEnd),
        );
        const end = frame.isClosed ? lineEnd + lineEnd : "";
        const bytes = bytesOf(`${frame.bom}${blocks.join(lineEnd + lineEnd)}${end}`);
        const expected = lines.map((data) => data.join("\n"));

        expect(payloads([bytes])).toEqual(expected);
        expect(payloads(split(bytes, cuts))).toEqual(expected);
        expect(payloads(everyByte(bytes))).toEqual(expected);
      }),
    );
  });

  it("hands on the same payloads of bytes that make no sense", () => {
    const noise = fc.constantFrom(0x0a, 0x0d, 0x20, 0x3a, 0x64, 0x61, 0x74, 0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0xff);
    const line = fc.constantFrom(
      ...["data: x\n", "data:y\r", "data\r\n", ":z\n", "\n", "\r", "retry: q\n"].map(bytesOf),
    );
    const part = fc.oneof(
      line,
      fc.array(noise).map((bytes) => Uint8Array.from(bytes)),
    );

    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat(), { maxLength: 12 }), (parts, cuts) => {
        // A stream, whatever the first character looks like.
        const bytes = Buffer.concat([bytesOf("\n: start\n"), ...parts]);
        const expected = payloads([bytes]);

        expect(payloads(split(bytes, cuts))).toEqual(expected);
        expect(payloads(everyByte(bytes))).toEqual(expected);
      }),
    );
  });

  it("is the same JSON", () => {
    const text = ' \n{"text":"é😀"}';
    const whole = (pieces: readonly Uint8Array[]) => {
      const context = { ...answer, provider: "acme", model: "m1", request, onDelta: undefined };
      const reader = answerReader(fakeWire(), context);
      for (const piece of pieces) reader.push(piece);
      reader.flush();
      return reader.end().text;
    };

    expect([whole([bytesOf(text)]), whole(everyByte(bytesOf(text)))]).toEqual(Array(2).fill('{"text":"é😀"}'));
  });

  it("ends with the payload that ends it", () => {
    expect(payloads([bytesOf("data: a\n\ndata: [DONE]\n\ndata: b\n\ndata: [DONE]\n\n")])).toEqual(["a", "[DONE]"]);
  });
});
