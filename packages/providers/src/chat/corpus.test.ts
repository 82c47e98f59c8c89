import { type Delta, ProviderError } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { type VendorCase, vendorCases } from "../__fixtures__/load.test-support.js";
import { context, requestOf } from "./chat.test-support.js";
import { chatWire } from "./chat-wire.js";

const cases = [...vendorCases("openai-chat"), ...vendorCases("openrouter-chat")];
const answers = cases.filter(({ encoding }) => encoding !== "error-body");
const streams = answers.filter(({ encoding }) => encoding !== "json");
const completions = streams.filter(({ expected }) => expected.type === "completion");

/** The completion or the error, and the text that was shown on the way. */
function outcome(payloads: readonly string[], isStream = true) {
  const shown: Delta[] = [];
  const decoder = chatWire().decoder({ ...context, request: requestOf(), onDelta: (delta) => shown.push(delta) });
  const text = () => shown.flatMap((delta) => (delta.type === "text" ? [delta.text] : [])).join("") || null;
  try {
    if (isStream) for (const payload of payloads) decoder.push(payload);
    else decoder.whole(JSON.parse(payloads[0] ?? ""));
    return { completion: decoder.end(), shown: text() };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { error, shown: text() };
  }
}

function expectExpected({ expected, payloads, encoding }: VendorCase) {
  const result = outcome(payloads(), encoding !== "json");
  if (expected.type === "completion") {
    expect(result.completion).toEqual(expected.completion);
    expect(result.shown).toBe(expected.completion.text);
  } else {
    const { kind, isRetryable, vendorCode, streamed } = expected.failure;
    expect(result.error).toMatchObject({ kind, isRetryable, vendorCode });
    if (streamed !== null) expect(result.shown).toBe(streamed);
  }
}

describe("what vendors really send", () => {
  it.each(answers.map((item) => [item.name, item] as const))("decodes %s", (_name, item) => {
    expectExpected(item);
  });

  it.each(completions.map((item) => [item.name, item] as const))(
    "comes to the same answer or to an error when %s is cut anywhere",
    (_name, item) => {
      const payloads = item.payloads();
      const whole = outcome(payloads).completion;

      // Long streams are cut everywhere near their end, and here and there before.
      const step = Math.ceil(payloads.length / 50);
      for (let length = 0; length < payloads.length; length += length < payloads.length - 20 ? step : 1) {
        const { completion, error } = outcome(payloads.slice(0, length));
        if (completion) expect({ ...completion, usage: null }).toEqual({ ...whole, usage: null });
        else expect(error).toMatchObject({ kind: "malformed", isRetryable: true });
      }
    },
  );
});
