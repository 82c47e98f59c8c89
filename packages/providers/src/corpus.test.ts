// What vendors really sent, through a real server and the real factories: every recording comes to the same completion, or the same
// failure, however it is framed and wherever its bytes are split.
import { isHarnessError, type Provider } from "@harness/spec";
import {
  type Framing,
  framings,
  inEvents,
  type VendorReply,
  type VendorServer,
  vendorServer,
} from "@harness/testing/provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { corpusNames, type VendorApi, type VendorCase, vendorCases } from "./__fixtures__/load.test-support.js";
import { anthropic } from "./anthropic.js";
import { compatible } from "./compatible.js";
import { openaiResponses } from "./openai.js";
import { openRouter } from "./openrouter.js";

const options = { apiKey: "a-key", model: "a-model" };
const factories: Readonly<Record<VendorApi, (baseUrl: string) => Provider>> = {
  "anthropic-messages": (baseUrl) => anthropic({ baseUrl, ...options }),
  "openai-chat": (baseUrl) => compatible({ baseUrl, ...options }),
  "openrouter-chat": (baseUrl) => openRouter({ baseUrl, ...options }),
  "openai-responses": (baseUrl) => openaiResponses({ baseUrl, ...options }),
};
const apis = Object.keys(factories) as readonly VendorApi[];
const splits = [undefined, 1, 2, 3, 7, 64];

let vendor: VendorServer;
beforeAll(async () => {
  vendor = await vendorServer();
});
afterAll(() => vendor.close());

/** What a provider makes of a reply, in the shape in which the corpus states it. */
async function heard({ api }: VendorCase, reply: VendorReply): Promise<VendorCase["expected"]> {
  const provider = factories[api](vendor.origin);
  let streamed: string | null = null;
  vendor.answer(reply);
  try {
    const completion = await provider.complete(
      { system: "", messages: [{ role: "user", text: "Go on." }], tools: [] },
      {
        signal: new AbortController().signal,
        onDelta: (delta) => {
          if (delta.type === "text") streamed = `${streamed ?? ""}${delta.text}`;
        },
      },
    );
    const { text, calls, reasoning, usage, model, finishReason, stop } = completion;
    expect(streamed).toBe(text);
    return { type: "completion", completion: { text, calls, reasoning, usage, model, finishReason, stop } };
  } catch (error) {
    if (!isHarnessError(error) || error.code !== "provider-failed") throw error;
    const { kind, isRetryable, vendorCode = "", retryAfterMs } = error;
    return { type: "failure", failure: { kind, isRetryable, vendorCode, retryAfterMs, streamed } };
  }
}

function framed({ framing, payloads }: VendorCase, how: Framing = {}): string {
  return inEvents(payloads(), { ...(!framing.isNamed && { nameOf: () => undefined }), ...how });
}

function repliesTo(item: VendorCase): readonly VendorReply[] {
  const { encoding, http, body } = item;
  if (encoding === "json" || encoding === "error-body") return [{ type: "body", body: body(), ...http }];
  const text = encoding === "sse" ? body() : framed(item);
  return splits.map((bytesPerChunk) => ({
    type: "stream",
    text,
    ...(bytesPerChunk !== undefined && { bytesPerChunk }),
  }));
}

describe("the corpus", () => {
  it("is read whole", () => {
    const names = apis.flatMap(vendorCases).map(({ name }) => name);

    expect(names).toHaveLength(52);
    expect(new Set(names)).toEqual(new Set(corpusNames()));
  });
});

describe.each(apis)("recordings of %s", (api) => {
  const cases = vendorCases(api).map((item) => [item.name, item] as const);

  it.each(cases)("%s is what was expected, however it is split", async (_, item) => {
    for (const reply of repliesTo(item)) expect(await heard(item, reply)).toEqual(item.expected);
  });

  it.each(cases.filter(([, { encoding }]) => encoding === "chunks"))(
    "%s is what was expected, however it is framed",
    async (_, item) => {
      for (const framing of Object.values(framings)) {
        const text = framed(item, framing);
        expect(await heard(item, { type: "stream", text })).toEqual(item.expected);
        expect(await heard(item, { type: "stream", text, bytesPerChunk: 7 })).toEqual(item.expected);
      }
    },
  );
});
