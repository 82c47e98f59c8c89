import { describe, expect, it } from "vitest";
import { aiSdk } from "../ai-sdk.js";
import { asking, double, finish, heard, type Version } from "./doubles.test-support.js";

const endpoints = [{ target: "acme.example:443" }];
const versions: readonly Version[] = ["v2", "v3", "v4"];
const tools = ["read_file", "fs.list"].map((name) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: "object" },
}));

function said(version: Version) {
  return [
    { type: "stream-start", warnings: [] },
    { type: "raw", rawValue: { anything: 1 } },
    { type: "response-metadata", id: "resp_1", modelId: "acme-1-2026" },
    { type: "reasoning-start", id: "r1" },
    { type: "reasoning-delta", id: "r1", delta: "Think" },
    { type: "reasoning-delta", id: "r1", delta: "ing.", providerMetadata: { acme: { half: true } } },
    { type: "reasoning-end", id: "r1", providerMetadata: { acme: { signature: "s1" } } },
    { type: "ping" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Let me " },
    { type: "text-delta", id: "0", delta: "look." },
    { type: "text-end", id: "0" },
    { type: "source", sourceType: "url", id: "s", url: "https://acme.example" },
    { type: "tool-input-start", id: "call_1", toolName: "read_file" },
    { type: "tool-input-delta", id: "call_1", delta: '{"path":' },
    { type: "tool-input-delta", id: "call_1", delta: '"a"}' },
    { type: "tool-input-end", id: "call_1" },
    { type: "tool-call", toolCallId: "call_1", toolName: "read_file", input: '{"path":"a"}' },
    { type: "something-of-tomorrow", delta: "?" },
    finish(version, "tool-calls"),
  ];
}

describe.each(versions)("aiSdk with a model of %s", (version) => {
  it("gives text, reasoning, calls, counts and who answered", async () => {
    const provider = aiSdk(double(version, said(version)), { endpoints });
    const { options, deltas } = heard();
    const { ttftMs, ...completion } = await provider.complete(asking({ tools }), options);

    expect(completion).toEqual({
      text: "Let me look.",
      reasoning: "Thinking.",
      calls: [{ name: "read_file", arguments: { path: "a" }, vendorId: "call_1" }],
      usage: {
        promptTokens: 30,
        completionTokens: 9,
        totalTokens: 39,
        cacheReadTokens: 20,
        cacheWriteTokens: version === "v2" ? 0 : 2,
        reasoningTokens: 4,
      },
      model: "acme-1-2026",
      stop: "tool-calls",
      finishReason: version === "v2" ? "tool-calls" : "raw_tool-calls",
      requestId: "request-7",
      continuation: {
        provider: "acme.chat",
        model: "acme-1",
        data: {
          pieces: [
            { type: "reasoning", text: "Thinking.", metadata: { acme: { signature: "s1" } } },
            { type: "text", chars: 12 },
            { type: "call" },
          ],
        },
      },
    });
    expect(ttftMs).toBeGreaterThanOrEqual(0);
    expect(deltas.map((delta) => Object.values(delta))).toEqual([
      ["reasoning", "Think"],
      ["reasoning", "ing."],
      ["text", "Let me "],
      ["text", "look."],
    ]);
  });

  it.each([
    ["stop", "end"],
    ["length", "length"],
    ["content-filter", "content-filter"],
    ["other", "other"],
    ["unknown", "other"],
  ])("takes the reason %s for %s", async (reason, stop) => {
    const parts = [{ type: "text-delta", id: "0", delta: "So." }, finish(version, reason)];
    const provider = aiSdk(double(version, parts), { endpoints });

    expect(await provider.complete(asking(), heard().options)).toMatchObject({ stop, text: "So." });
  });

  it("leaves out a tool that the vendor ran", async () => {
    const parts = [
      { type: "tool-input-start", id: "w", toolName: "web_search", providerExecuted: true },
      { type: "tool-input-delta", id: "w", delta: "{}" },
      { type: "tool-call", toolCallId: "w", toolName: "web_search", input: "{}", providerExecuted: true },
      { type: "tool-result", toolCallId: "w", toolName: "web_search", result: {} },
      { type: "text-delta", id: "0", delta: "Found." },
      finish(version),
    ];
    const provider = aiSdk(double(version, parts), { endpoints });

    expect(await provider.complete(asking(), heard().options)).toMatchObject({ calls: [], stop: "end" });
  });

  it("keeps what the model wrote of a call that was cut off", async () => {
    const parts = [
      { type: "tool-input-start", id: "c", toolName: "read_file" },
      { type: "tool-input-delta", id: "c", delta: '{"path":"a' },
      finish(version, "length"),
    ];
    const completion = await aiSdk(double(version, parts), { endpoints }).complete(asking({ tools }), heard().options);

    expect(completion).toMatchObject({ stop: "length", calls: [{ arguments: null, invalidArguments: '{"path":"a' }] });
  });

  it("does not take a stream that ends in the middle, or is empty, for an answer", async () => {
    const nothing = { type: "finish", finishReason: "stop", usage: {} };
    for (const parts of [[], said(version).slice(0, -1), [nothing]]) {
      const asked = aiSdk(double(version, parts), { endpoints }).complete(asking({ tools }), heard().options);
      await expect(asked).rejects.toMatchObject({ kind: "malformed", isRetryable: true, provider: "acme.chat" });
    }
  });
});

describe("aiSdk", () => {
  it("refuses a model of another specification by its name", () => {
    expect(() => aiSdk(double("v1"), { endpoints })).toThrow(/"v1"/);
    expect(() => aiSdk(double("v5"), { endpoints })).toThrow(/"v5".*v2, v3, v4/);
    expect(() => aiSdk("acme/acme-1" as never, { endpoints })).toThrow(/"acme\/acme-1" is the name of a model/);
    expect(() => aiSdk({ ...double("v3"), doStream: undefined as never }, { endpoints })).toThrow(/aiSdk\(\)/);
    expect(() => aiSdk(undefined as never, { endpoints })).toThrow(/missing/);
  });

  it("is named, and described, by the model unless told otherwise", () => {
    expect(aiSdk(double("v3"), { endpoints })).toMatchObject({
      ...{ spec: 1, name: "acme.chat", model: "acme-1", endpoints, acceptsImages: true },
    });
    expect(aiSdk(double("v3"), { endpoints, name: "mine", acceptsImages: false })).toMatchObject({
      ...{ name: "mine", acceptsImages: false },
    });
  });

  it("says nothing of counts where the model said nothing", async () => {
    const empty = { inputTokens: { total: undefined }, outputTokens: { total: undefined } };
    const text = { type: "text-delta", id: "0", delta: "So." };
    const parts = [text, { type: "finish", finishReason: { unified: "stop" }, usage: empty }];
    const completion = await aiSdk(double("v3", parts), { endpoints }).complete(asking(), heard().options);

    expect(completion).toMatchObject({ usage: null, model: null, finishReason: "stop" });
  });

  it("takes a stream that ends, and nobody says why, for one that was cut off", async () => {
    const text = { type: "text-delta", id: "0", delta: "Half" };
    for (const finishReason of [
      { unified: "interrupted", raw: "x" },
      { unified: "other", raw: undefined },
    ]) {
      const parts = [text, { type: "finish", finishReason, usage: {} }];
      const asked = aiSdk(double("v4", parts), { endpoints }).complete(asking(), heard().options);
      await expect(asked).rejects.toMatchObject({ kind: "malformed", vendorCode: "truncated" });
    }
  });

  it("sets blocks of reasoning apart, as it streams and as a whole", async () => {
    const parts = ["r1", "r2"].map((id) => ({ type: "reasoning-delta", id, delta: id }));
    const { options, deltas } = heard();
    const provider = aiSdk(double("v3", [...parts, finish("v3")]), { endpoints });
    const { reasoning, text } = await provider.complete(asking(), options);

    expect({ reasoning, text }).toEqual({ reasoning: "r1\n\nr2", text: null });
    expect(deltas.map((delta) => ("text" in delta ? delta.text : "")).join("")).toBe(reasoning);
  });
});
