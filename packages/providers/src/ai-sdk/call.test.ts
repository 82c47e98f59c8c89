import type { CallId, CompletionRequest, Message } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { type AiSdkOptions, aiSdk } from "../ai-sdk.js";
import { asking, double, finish, heard, type Version } from "./doubles.test-support.js";

const options: AiSdkOptions = { endpoints: [] };
const answer = (version: Version) => [{ type: "text-delta", id: "0", delta: "So." }, finish(version)];

async function called(request: Partial<CompletionRequest>, version: Version = "v3", more: Partial<AiSdkOptions> = {}) {
  const model = double(version, answer(version));
  await aiSdk(model, { ...options, ...more }).complete(asking(request), heard().options);
  const { abortSignal, ...call } = model.calls[0] ?? { prompt: [] };
  expect(abortSignal).toBeInstanceOf(AbortSignal);
  return call;
}

const first = { id: "1.0" as CallId, name: "fs.read", arguments: { path: "a" }, vendorId: "vendor-1" };
const second = { id: "1.1" as CallId, name: "list", arguments: null, vendorId: "vendor-2" };
const results: Message = {
  role: "results",
  results: [
    { call: second.id, content: "no such folder", isError: true },
    { call: first.id, content: "" },
  ],
};
const metadata = { acme: { signature: "s1" } };
const continuation = {
  provider: "acme.chat",
  model: "acme-1",
  data: {
    pieces: [
      { type: "text", chars: 4 },
      { type: "reasoning", text: "Hm.", metadata },
      { type: "call", metadata: { acme: { id: 1 } } },
      { type: "text", chars: 3 },
      { type: "call" },
    ],
  },
};
const begin: Message = { role: "user", text: "Look." };

describe("a call of an AI SDK model", () => {
  it("holds no more than it is asked for", async () => {
    expect(await called({})).toEqual({
      prompt: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Go on." }] },
      ],
    });
  });

  it("holds tools, a cap, a shape of the answer and options of the provider", async () => {
    const schema = { type: "object", properties: {} };
    const call = await called(
      {
        tools: [{ name: "list", description: "Lists.", parameters: schema }],
        maxOutputTokens: 50,
        output: schema,
        effort: "low",
      },
      "v3",
      { providerOptions: { acme: { speed: 2 } } },
    );

    expect(call).toMatchObject({
      tools: [{ type: "function", name: "list", description: "Lists.", inputSchema: schema }],
      maxOutputTokens: 50,
      responseFormat: { type: "json", schema },
      providerOptions: { acme: { speed: 2 } },
    });
    expect(call).not.toHaveProperty("reasoning");
  });

  it("asks a model of v4 for an effort", async () => {
    expect(await called({ effort: "high" }, "v4")).toMatchObject({ reasoning: "high" });
  });

  it("gives a picture as each version wants it", async () => {
    const messages: readonly Message[] = [
      { role: "user", text: "What is it?", images: [{ mediaType: "image/png", base64: "AAAA" }] },
    ];
    const parts = (data: unknown) => [
      { type: "text", text: "What is it?" },
      { type: "file", mediaType: "image/png", data },
    ];

    expect((await called({ messages }, "v2")).prompt[1]).toEqual({ role: "user", content: parts("AAAA") });
    expect((await called({ messages }, "v3")).prompt[1]).toEqual({ role: "user", content: parts("AAAA") });
    const wrapped = parts({ type: "data", data: "AAAA" });
    expect((await called({ messages }, "v4")).prompt[1]).toEqual({ role: "user", content: wrapped });
  });

  it("pairs calls and results, in names and ids of its own", async () => {
    const assistant: Message = { role: "assistant", text: "Look: so.", calls: [first, second] };
    const tools = ["fs.read", "list"].map((name) => ({ name, description: name, parameters: { type: "object" } }));
    const { prompt } = await called({ messages: [begin, assistant, results], tools });
    const name = expect.stringMatching(/^fs_read_[0-9a-f]+$/);

    expect(prompt.slice(2)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "Look: so." },
          { type: "tool-call", toolCallId: "t00010000", toolName: name, input: { path: "a" } },
          { type: "tool-call", toolCallId: "t00010001", toolName: "list", input: {} },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "t00010000",
            toolName: name,
            output: { type: "text", value: "(no output)" },
          },
          {
            type: "tool-result",
            toolCallId: "t00010001",
            toolName: "list",
            output: { type: "error-text", value: "no such folder" },
          },
        ],
      },
    ]);
  });

  it("puts everything back where it stood, for the model that said it", async () => {
    const assistant: Message = { role: "assistant", text: "One.Two", calls: [first, second], continuation };
    const { prompt } = await called({ messages: [begin, assistant, results] });

    expect(prompt[2]).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "One." },
        { type: "reasoning", text: "Hm.", providerOptions: metadata },
        expect.objectContaining({ toolCallId: "vendor-1", providerOptions: { acme: { id: 1 } } }),
        { type: "text", text: "Two" },
        expect.objectContaining({ toolCallId: "vendor-2" }),
      ],
    });
  });

  it("tells another model nothing of it", async () => {
    const others = [
      { ...continuation, model: "acme-2" },
      { ...continuation, provider: "other.chat" },
    ];
    for (const other of others) {
      const assistant: Message = { role: "assistant", text: "One.Two", calls: [first, second], continuation: other };
      const { prompt } = await called({ messages: [begin, assistant, results] });

      expect(JSON.stringify(prompt)).not.toMatch(/Hm\.|signature|vendor-/);
    }
  });

  it("loses no part of a turn whose pieces do not fit it", async () => {
    const data = { pieces: [{ type: "text", chars: 2 }, { type: "call" }, { type: "tomorrow" }] };
    const assistant: Message = {
      role: "assistant",
      text: "One.",
      calls: [first, second],
      continuation: { ...continuation, data },
    };
    const { prompt } = await called({ messages: [begin, assistant, results] });

    expect(prompt[2]).toMatchObject({
      content: [{ text: "One." }, { toolCallId: "vendor-1" }, { toolCallId: "vendor-2" }],
    });
  });

  it("is not made for another model, nor for a call without a result", async () => {
    const model = double("v3", answer("v3"));
    const provider = aiSdk(model, options);
    const unanswered: Message = { role: "assistant", text: null, calls: [first] };
    const requests = [asking({ model: "acme-2" }), asking({ messages: [begin, unanswered] })];
    for (const request of requests) {
      await expect(provider.complete(request, heard().options)).rejects.toMatchObject({ code: "config-invalid" });
    }

    expect(model.calls).toEqual([]);
    await provider.complete(asking({ model: "acme-1" }), heard().options);
  });
});
