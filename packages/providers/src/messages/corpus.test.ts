import type { JsonObject, ProviderError } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { type VendorCase, vendorCases } from "../__fixtures__/load.test-support.js";
import { decoding } from "./messages.test-support.js";

// The body of a failed request is none of the wire's business.
const cases = vendorCases("anthropic-messages").filter(({ encoding }) => encoding !== "error-body");

function fed(item: VendorCase) {
  const { decoder, deltas } = decoding();
  const feed = () => {
    if (item.encoding === "json") decoder.whole(JSON.parse(item.body()) as JsonObject);
    else for (const payload of item.payloads()) decoder.push(payload);
    return decoder.end();
  };
  const shown = (type: "text" | "reasoning") =>
    deltas.flatMap((delta) => (delta.type === type ? [delta.text] : [])).join("") || null;
  return { decoder, feed, shown };
}

describe("the recorded streams", () => {
  it.each(cases.map((item) => [item.name, item] as const))("decode as expected: %s", (_, item) => {
    const { decoder, feed, shown } = fed(item);
    if (item.expected.type === "completion") {
      const completion = feed();
      const { continuation, ...rest } = completion;

      expect(rest).toEqual(item.expected.completion);
      expect({ text: shown("text"), reasoning: shown("reasoning") }).toEqual({
        text: rest.text,
        reasoning: rest.reasoning,
      });
      expect(decoder.state).toBe("done");
      return;
    }
    const { streamed, vendorCode, ...facts } = item.expected.failure;
    expect(feed).toThrow(expect.objectContaining({ ...facts, vendorCode } satisfies Partial<ProviderError>));
    expect(shown("text")).toBe(streamed);
  });

  it.each(cases.filter(({ encoding }) => encoding !== "json").map((item) => [item.name, item] as const))(
    "are never another answer when they are cut: %s",
    (_, item) => {
      const payloads = item.payloads();
      for (let length = 0; length < payloads.length; length += 1) {
        const { decoder } = decoding();
        const feed = () => {
          for (const payload of payloads.slice(0, length)) decoder.push(payload);
          return decoder.end();
        };
        const expected = item.expected.type === "completion" ? item.expected.completion : undefined;
        let answer: ReturnType<typeof feed> | undefined;
        try {
          answer = feed();
        } catch (error) {
          expect(error).toMatchObject({ code: "provider-failed", kind: "malformed" });
        }
        if (answer) expect(answer).toMatchObject({ text: expected?.text, calls: expected?.calls });
      }
    },
  );
});
