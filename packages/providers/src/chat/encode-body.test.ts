import { describe, expect, it } from "vitest";
import { callOf, context, readFile, requestOf, resultsOf, user } from "./chat.test-support.js";
import { chatWire } from "./chat-wire.js";

const plain = chatWire();

describe("the body of a chat request", () => {
  it("holds nothing that was not asked for", () => {
    expect(plain.encode(requestOf(), context)).toEqual({
      model: "model-1",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hello." },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("has its keys in one order and the same bytes every time", () => {
    const request = requestOf({ tools: [readFile], maxOutputTokens: 100, effort: "low", output: { type: "object" } });
    const bytes = JSON.stringify(plain.encode(request, context));

    expect(JSON.stringify(plain.encode(structuredClone(request), context))).toBe(bytes);
    expect(Object.keys(JSON.parse(bytes))).toEqual([
      ...[
        "model",
        "messages",
        "tools",
        "stream",
        "stream_options",
        "max_tokens",
        "reasoning_effort",
        "response_format",
      ],
    ]);
  });

  it("says a whole conversation with parallel calls in the vendor's order", () => {
    const request = requestOf({
      tools: [readFile],
      messages: [
        user("Read both."),
        {
          role: "assistant",
          text: "Reading.",
          calls: [callOf("1.0", "read_file", { path: "a" }), callOf("1.1", "read_file", { path: "b" })],
        },
        resultsOf(["1.1", "B"], ["1.0", ""]),
        { role: "assistant", text: null, calls: [callOf("2.0", "read_file", { path: "c" })] },
        resultsOf(["2.0", "half a pair: \ud83d"]),
        user("And now?"),
      ],
    });

    expect(plain.encode(request, context)).toEqual({
      model: "model-1",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Read both." },
        {
          role: "assistant",
          content: "Reading.",
          tool_calls: [
            { id: "t00010000", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } },
            { id: "t00010001", type: "function", function: { name: "read_file", arguments: '{"path":"b"}' } },
          ],
        },
        { role: "tool", tool_call_id: "t00010000", content: "(no output)" },
        { role: "tool", tool_call_id: "t00010001", content: "B" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "t00030000", type: "function", function: { name: "read_file", arguments: '{"path":"c"}' } },
          ],
        },
        { role: "tool", tool_call_id: "t00030000", content: "half a pair: \ufffd" },
        { role: "user", content: "And now?" },
      ],
      tools: [
        {
          type: "function",
          function: {
            name: "read_file",
            description: "Reads a file.",
            parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
          },
        },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("puts images behind the text, and text alone stays a string", () => {
    const images = [{ mediaType: "image/png", base64: "AAAA" }] as const;
    const messages = [user("First."), { role: "user", text: "What is this?", images }] as const;

    expect(plain.encode(requestOf({ system: "", messages }), context).messages).toEqual([
      { role: "user", content: "First." },
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ]);
  });

  it("asks for the effort of the request before that of the provider", () => {
    const wire = chatWire({ effort: "high" });

    expect(wire.encode(requestOf({ effort: "low" }), context)).toMatchObject({ reasoning_effort: "low" });
    expect(wire.encode(requestOf(), context)).toMatchObject({ reasoning_effort: "high" });
  });

  it.each([
    ["reasoning", { reasoning: { effort: "high" } }],
    ["enable_thinking", { enable_thinking: true }],
    ["none", {}],
  ] as const)("asks for effort in the style %s", (effort, keys) => {
    const wire = chatWire({ quirks: { effort } });

    const body = wire.encode(requestOf({ effort: "high" }), context);

    expect(body).toEqual({ ...wire.encode(requestOf(), context), ...keys });
  });

  it("sends a system text with half a pair of surrogates in whole characters", () => {
    const body = plain.encode(requestOf({ system: "cut \ude00" }), context);

    expect(body.messages).toContainEqual({ role: "system", content: "cut \ufffd" });
  });

  it("puts keys of the vendor behind all others", () => {
    const body = chatWire({ extra: { provider: { zdr: true } } }).encode(requestOf(), context);

    expect(Object.entries(body).at(-1)).toEqual(["provider", { zdr: true }]);
  });
});
