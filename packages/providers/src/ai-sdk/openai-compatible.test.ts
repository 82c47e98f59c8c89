// The AI SDK's own provider for OpenAI-shaped endpoints, in front of a vendor on loopback: what a user of both gets to see.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { CallId, Message } from "@harness/spec";
import { inEvents, type VendorServer, vendorServer } from "@harness/testing/provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { vendorCases } from "../__fixtures__/load.test-support.js";
import { aiSdk } from "../ai-sdk.js";
import { asking, heard } from "./doubles.test-support.js";

let vendor: VendorServer;
beforeAll(async () => {
  vendor = await vendorServer();
});
afterAll(() => vendor.close());

function provider() {
  const { origin: baseURL } = vendor;
  const model = createOpenAICompatible({ name: "acme", baseURL, apiKey: "a-key-of-acme", includeUsage: true })(
    "acme-1",
  );
  return aiSdk(model, { endpoints: [{ target: new URL(baseURL).host }] });
}

const recordings = vendorCases("openai-chat").filter(({ name }) =>
  ["openai/chat-text", "deepseek/reasoning-tool-call", "groq/reasoning", "alibaba/tool-call"].includes(name),
);

describe("the AI SDK's OpenAI-compatible provider, through aiSdk", () => {
  it.each(recordings.map((item) => [item.name, item] as const))("reads the recording %s", async (_, item) => {
    vendor.answer({ type: "stream", text: inEvents(item.payloads()) });
    const { options, deltas } = heard();
    const completion = await provider().complete(asking(), options);
    if (item.expected.type !== "completion") throw new Error("The recording is of a failure.");
    const { usage, ...expected } = item.expected.completion;

    expect(completion).toMatchObject(expected);
    expect(completion.usage).toMatchObject({
      promptTokens: usage?.promptTokens,
      completionTokens: usage?.completionTokens,
      reasoningTokens: usage?.reasoningTokens,
    });
    expect(deltas.map((delta) => (delta.type === "text" ? delta.text : "")).join("") || null).toBe(completion.text);
  });

  it("sends a transcript that the vendor accepts, with the reasoning of the turn", async () => {
    const [thought] = recordings.filter(({ name }) => name === "deepseek/reasoning-tool-call");
    vendor.answer({ type: "stream", text: inEvents(thought?.payloads() ?? []) });
    const { text, calls, continuation, reasoning } = await provider().complete(asking(), heard().options);
    const call = { id: "1.0" as CallId, name: "", arguments: null, ...calls[0] };
    const messages: readonly Message[] = [
      { role: "user", text: "Go on." },
      { role: "assistant", text, calls: [call], ...(continuation && { continuation }) },
      { role: "results", results: [{ call: call.id, content: "58 degrees" }] },
    ];
    vendor.answer({ type: "stream", text: inEvents(recordings[0]?.payloads() ?? []) });
    await provider().complete(asking({ messages }), heard().options);
    const sent = JSON.parse(vendor.taken.at(-1)?.body ?? "{}");

    expect(sent.messages.slice(2)).toMatchObject([
      { role: "assistant", reasoning_content: reasoning, tool_calls: [{ id: calls[0]?.vendorId }] },
      { role: "tool", tool_call_id: calls[0]?.vendorId, content: "58 degrees" },
    ]);
  });

  it("gives failures their kinds", async () => {
    const failure = () =>
      provider()
        .complete(asking(), heard().options)
        .catch((error: unknown) => error);
    const body = JSON.stringify({ error: { message: "No.", code: "insufficient_quota", type: "x" } });

    vendor.answer({ type: "body", status: 429, body, headers: { "retry-after": "3" } });
    expect(await failure()).toMatchObject({ kind: "quota", status: 429, isRetryable: false });
    vendor.answer({ type: "body", status: 503, body: "<html>", headers: { "retry-after": "3" } });
    expect(await failure()).toMatchObject({ kind: "server", status: 503, retryAfterMs: 3_000 });
    vendor.answer({ type: "reset" });
    expect(await failure()).toMatchObject({ kind: "transport" });
    vendor.answer({ type: "stream", text: inEvents(['{"error":{"message":"Overloaded"}}']) });
    expect(await failure()).toMatchObject({ kind: "server" });
    vendor.answer({ type: "stream", text: inEvents(recordings[0]?.payloads().slice(0, 3) ?? []) });
    expect(await failure()).toMatchObject({ kind: "malformed" });
  });

  it("lets go of the vendor when it is cancelled", async () => {
    const stop = new AbortController();
    vendor.answer({ type: "stream", text: inEvents(recordings[0]?.payloads().slice(0, 3) ?? []), ending: "comments" });
    const asked = provider().complete(asking(), { signal: stop.signal, onDelta: () => stop.abort() });

    await expect(asked).rejects.toMatchObject({ kind: "cancelled" });
    await expect.poll(() => vendor.unfinished).toBe(0);
  });
});
