import { describe, expect, it } from "vitest";
import { toolNames } from "../transcript/tool-names.js";
import {
  block,
  called,
  decoded,
  decoding,
  ended,
  json,
  signed,
  started,
  stopped,
  text,
  thought,
  tools,
} from "./messages.test-support.js";

describe("calls", () => {
  it("gather their fragments by index, however they interleave", () => {
    const { calls, stop } = decoded([
      started(),
      called(0, "read_file"),
      called(1, "read_file"),
      json(0, '{"path":'),
      json(1, '{"path":"b"'),
      { type: "ping" },
      json(0, '"a"}'),
      json(1, "}"),
      stopped("tool_use"),
      ended,
    ]);

    expect(calls).toEqual([
      { name: "read_file", arguments: { path: "a" }, vendorId: "toolu_0" },
      { name: "read_file", arguments: { path: "b" }, vendorId: "toolu_1" },
    ]);
    expect(stop).toBe("tool-calls");
  });

  it.each([
    ["whole where it was announced", called(0, "read_file", { input: { path: "a" } }), []],
    ["whole there although empty fragments follow", called(0, "read_file", { input: { path: "a" } }), [json(0, " ")]],
    ["in fragments, which count more", called(0, "read_file", { input: { path: "z" } }), [json(0, '{"path":"a"}')]],
  ])("take their input %s", (_, announced, fragments) => {
    const { calls } = decoded([started(), announced, ...fragments, stopped("tool_use"), ended]);

    expect(calls).toMatchObject([{ arguments: { path: "a" } }]);
  });

  it.each([[""], ["   "], ["null"]])("without arguments (%j) have none", (part) => {
    const { calls } = decoded([started(), called(0, "read_file", { input: null }), json(0, part), stopped("tool_use")]);

    expect(calls).toMatchObject([{ arguments: {} }]);
  });

  it("that were cut off keep what the model wrote", () => {
    const { calls, stop } = decoded([started(), called(0, "read_file"), json(0, '{"pa'), stopped("max_tokens"), ended]);

    expect(calls).toEqual([{ name: "read_file", arguments: null, invalidArguments: '{"pa', vendorId: "toolu_0" }]);
    expect(stop).toBe("length");
  });

  it("get our name for the tool back", () => {
    const vendorName = toolNames(tools).toVendor("files.list");
    const { calls } = decoded([started(), called(0, vendorName), called(1, "nobodys"), stopped("tool_use")]);

    expect(calls.map(({ name }) => name)).toEqual(["files.list", "nobodys"]);
  });

  it("are announced once, whatever a proxy repeats, and share no id", () => {
    const twice = called(0, "read_file");
    const { calls } = decoded([
      started(),
      twice,
      twice,
      json(0, "{}"),
      called(1, "read_file", { id: "toolu_0" }),
      called(2, "read_file", { id: null }),
      stopped("tool_use"),
    ]);

    expect(calls.map(({ vendorId }) => vendorId)).toEqual(["toolu_0", undefined, undefined]);
  });

  it("are whole although a stray fragment, a nameless call and unknown events come between", () => {
    const { calls, text: words } = decoded([
      started(),
      json(7, '{"lost":'),
      block(3, { type: "tool_use", input: {} }),
      text(0, "Hel"),
      { type: "content_block_vanished", index: 0 },
      called(1, "read_file"),
      block(4, { type: "hologram" }),
      json(1, '{"path":"a"}'),
      text(0, "lo"),
      "keep-alive",
      stopped("tool_use"),
    ]);

    expect(words).toBe("Hello");
    expect(calls).toMatchObject([{ name: "read_file", arguments: { path: "a" } }]);
  });

  it("are not made of what the vendor's own tools do", () => {
    const { calls, stop } = decoded([
      started(),
      block(0, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }),
      json(0, '{"query":"x"}'),
      block(1, { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }),
      stopped("pause_turn"),
      ended,
    ]);

    expect(calls).toEqual([]);
    expect(stop).toBe("pause");
  });

  it("of a message that begins whole are there", () => {
    const content = [
      { type: "text", text: "Done." },
      { type: "tool_use", id: "toolu_9", name: "read_file", input: { path: "a" } },
    ];

    expect(decoded([started({ content, stop_reason: "tool_use" })])).toMatchObject({
      text: "Done.",
      calls: [{ vendorId: "toolu_9", arguments: { path: "a" } }],
    });
  });
});

describe("counts", () => {
  const usageOf = (first: object, last: object) =>
    decoded([started({ usage: { ...first } }), text(0, "x"), stopped("end_turn", { ...last }), ended]).usage;

  it("put cached tokens into the prompt once", () => {
    const first = { input_tokens: 33, cache_read_input_tokens: 2048, cache_creation_input_tokens: 512 };

    expect(usageOf(first, { output_tokens: 7, output_tokens_details: { thinking_tokens: 4 } })).toEqual({
      promptTokens: 2593,
      completionTokens: 7,
      totalTokens: 2600,
      cacheReadTokens: 2048,
      cacheWriteTokens: 512,
      reasoningTokens: 4,
    });
  });

  it("keep the earlier value where a later report has none", () => {
    const first = { input_tokens: 9, output_tokens: 1, cache_read_input_tokens: 4 };

    expect(usageOf(first, { output_tokens: 6, input_tokens: null })).toMatchObject({
      promptTokens: 13,
      completionTokens: 6,
      cacheReadTokens: 4,
    });
  });

  it("are null when the vendor reports none, and numbers otherwise", () => {
    expect(usageOf({}, {})).toBeNull();
    expect(usageOf({ input_tokens: "9", output_tokens: -1 }, { output_tokens: 6 })).toMatchObject({ totalTokens: 6 });
  });

  it("are known while the answer comes in", () => {
    const { decoder } = decoding();
    decoder.push(JSON.stringify(started()));

    expect(decoder.usage).toMatchObject({ promptTokens: 3 });
    expect(decoder.hasContent).toBe(false);
  });
});

describe("an answer", () => {
  it("joins text blocks without, and thoughts with a blank line between them", () => {
    const { decoder, deltas } = decoding();
    const events = [
      thought(0, "One."),
      thought(2, "Tw"),
      text(1, "A"),
      thought(2, "o."),
      text(3, "B"),
      stopped("end_turn"),
    ];
    for (const event of events) decoder.push(JSON.stringify(event));

    expect(decoder.end()).toMatchObject({ text: "AB", reasoning: "One.\n\nTwo." });
    expect(deltas).toEqual([
      { type: "reasoning", text: "One." },
      { type: "reasoning", text: "\n\nTw" },
      { type: "text", text: "A" },
      { type: "reasoning", text: "o." },
      { type: "text", text: "B" },
    ]);
  });

  it("is finished with its reason and done with its last event, after which nothing counts", () => {
    const { decoder } = decoding();
    const states = [started(), text(0, "A"), stopped("end_turn"), ended, text(0, "B")].map((event) => {
      decoder.push(JSON.stringify(event));
      return decoder.state;
    });

    expect(states).toEqual(["open", "open", "finished", "done", "done"]);
    expect(decoder.end()).toMatchObject({ text: "A", stop: "end", finishReason: "end_turn" });
  });

  it("that was refused is one, although it has no content", () => {
    expect(decoded([started(), stopped("refusal"), ended])).toMatchObject({ text: null, stop: "content-filter" });
  });

  it("may come as one body", () => {
    const { decoder, deltas } = decoding();
    decoder.whole({
      type: "message",
      model: "claude-sonnet-4-5-20250929",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "text", text: "Hi." },
      ],
      stop_reason: "end_turn",
      usage: { input_tokens: 2, output_tokens: 3 },
    });

    expect(decoder.state).toBe("done");
    expect(decoder.end()).toMatchObject({ text: "Hi.", reasoning: "Hm.", usage: { totalTokens: 5 } });
    expect(deltas.map(({ type }) => type)).toEqual(["reasoning", "text"]);
  });
});

describe("a failure", () => {
  it.each([
    ["of a stream that ends early", [started(), text(0, "half")], "truncated"],
    ["of an answer with nothing in it", [started({ usage: {} }), stopped("end_turn", {}), ended], "empty"],
    ["of an event that is cut", [started(), '{"type":"content_bl'], "bad_json"],
    ["of two answers in one", [started(), started({ id: "msg_2" })], "overlapping_message"],
  ])("%s is malformed", (_, events, vendorCode) => {
    expect(() => decoded(events)).toThrow(expect.objectContaining({ kind: "malformed", vendorCode }));
  });

  it("in the middle is thrown with what it cost, although half an answer is there", () => {
    const failure = { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "req_1" };

    expect(() => decoded([started(), text(0, "Hel"), failure])).toThrow(
      expect.objectContaining({
        kind: "server",
        vendorCode: "overloaded_error",
        requestId: "req_1",
        usage: expect.objectContaining({ promptTokens: 3 }),
      }),
    );
  });

  it("of a proxy needs no type, and may be the whole body", () => {
    const error = { type: "rate_limit_error", message: "Slow down" };

    expect(() => decoded([{ error }])).toThrow(expect.objectContaining({ kind: "rate-limited" }));
    expect(() => decoding().decoder.whole({ type: "error", error })).toThrow(
      expect.objectContaining({ kind: "rate-limited" }),
    );
  });

  it("to fit the context window is one only when nothing was said", () => {
    const full = stopped("model_context_window_exceeded");

    expect(() => decoded([started(), full])).toThrow(expect.objectContaining({ kind: "context-overflow" }));
    expect(decoded([started(), text(0, "half"), full])).toMatchObject({ text: "half", stop: "length" });
  });

  it("of a body that is no answer is malformed", () => {
    for (const body of [null, [], "Hello", {}]) {
      const { decoder } = decoding();
      decoder.whole(body);

      expect(() => decoder.end()).toThrow(expect.objectContaining({ kind: "malformed", vendorCode: "truncated" }));
    }
  });
});

describe("a continuation", () => {
  const thinking = block(0, { type: "thinking", thinking: "", signature: "" });
  const redacted = block(1, { type: "redacted_thinking", data: "cmVk" });

  it("holds thinking where it stood, for the model that was asked", () => {
    const { continuation, reasoning } = decoded([
      started(),
      thinking,
      thought(0, "Hm."),
      signed(0, "c2ln"),
      redacted,
      text(2, "On"),
      text(3, "e."),
      called(4, "read_file"),
      stopped("tool_use"),
    ]);

    expect(reasoning).toBe("Hm.");
    expect(continuation).toEqual({
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      data: {
        pieces: [
          { type: "thinking", thinking: "Hm.", signature: "c2ln" },
          { type: "redacted_thinking", data: "cmVk" },
          { type: "text", chars: 2 },
          { type: "text", chars: 2 },
          { type: "call" },
        ],
      },
    });
  });

  it("has no thinking without a signature, and is absent without thinking", () => {
    const bare = [started(), thinking, thought(0, "Hm."), called(2, "read_file"), stopped("tool_use")];

    expect(decoded(bare)).not.toHaveProperty("continuation");
    expect(decoded([...bare.slice(0, -1), redacted, stopped("tool_use")]).continuation?.data).toEqual({
      pieces: [{ type: "call" }, { type: "redacted_thinking", data: "cmVk" }],
    });
  });

  it("belongs to the model that took over, without what the one before it thought", () => {
    const answer = decoded([
      started(),
      thinking,
      thought(0, "Old."),
      signed(0, "b2xk"),
      block(2, { type: "fallback", to: { model: "claude-opus-4-8" } }),
      block(3, { type: "thinking", thinking: "New.", signature: "bmV3" }),
      text(4, "Hi."),
      stopped("end_turn"),
    ]);

    expect(answer.model).toBe("claude-opus-4-8");
    expect(answer.continuation).toMatchObject({
      model: "claude-opus-4-8",
      data: {
        pieces: [
          { type: "thinking", thinking: "New.", signature: "bmV3" },
          { type: "text", chars: 3 },
        ],
      },
    });
  });
});
