import { describe, expect, it } from "vitest";
import { chunk, context, decoded, finished, fragments, requestOf } from "./chat.test-support.js";
import { chatWire } from "./chat-wire.js";

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

function decoderOf() {
  return chatWire().decoder({ ...context, request: requestOf(), onDelta: () => {} });
}

describe("the text of a stream", () => {
  it("is what its deltas say, and reasoning never mixes with it", () => {
    const { completion, deltas } = decoded([
      chunk({ content: "One " }),
      chunk({ reasoning: "hm", content: null }),
      chunk({ content: "two." }),
      finished,
    ]);

    expect(completion).toMatchObject({ text: "One two.", reasoning: "hm", stop: "end", finishReason: "stop" });
    expect(deltas).toEqual([
      { type: "text", text: "One " },
      { type: "reasoning", text: "hm" },
      { type: "text", text: "two." },
    ]);
  });

  it("may come in parts, some of which are thoughts", () => {
    const content = [
      {
        type: "thinking",
        thinking: [
          { type: "text", text: "Let me " },
          { type: "text", text: "see." },
        ],
      },
      { type: "thinking", thinking: " Well." },
      { type: "text", text: "4" },
      { type: "reference", reference_ids: [1] },
    ];

    expect(decoded([chunk({ content }), finished]).completion).toMatchObject({
      text: "4",
      reasoning: "Let me see. Well.",
    });
  });

  it("may be a refusal", () => {
    expect(decoded([chunk({ refusal: "I will not." }), finished]).completion).toMatchObject({
      text: "I will not.",
      stop: "content-filter",
    });
  });

  it.each([
    { reasoning_content: "why", reasoning: "why" },
    { reasoning_text: "why" },
    { reasoning: "why", reasoning_details: [{ type: "reasoning.summary", summary: "why" }] },
    { reasoning: "why", reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] },
  ])("is not the reasoning, which counts once: %j", (delta) => {
    expect(decoded([chunk(delta), chunk({ content: "x" }), finished]).completion).toMatchObject({
      text: "x",
      reasoning: "why",
    });
  });

  it("may come as one whole message in the stream, and is not doubled by one at its end", () => {
    const message = { choices: [{ message: { content: "All." }, finish_reason: "stop" }] };

    expect(decoded([message]).completion.text).toBe("All.");
    expect(decoded([chunk({ content: "All." }), message]).completion.text).toBe("All.");
  });
});

describe("what stands around the text", () => {
  it("names the first model that is not empty", () => {
    expect(
      decoded([
        { model: "", choices: [] },
        { ...chunk({ content: "x" }), model: "real" },
        { ...finished, model: "late" },
      ]).completion.model,
    ).toBe("real");
  });

  it.each<[string, object]>([
    ["on its own", { choices: [], usage }],
    ["in the choice", { choices: [{ usage }] }],
    ["under the vendor's key", { choices: [], x_groq: { usage } }],
  ])("counts %s, and a null behind it changes nothing", (_where, counted) => {
    const { completion } = decoded([chunk({ content: "x" }), finished, counted as never, { choices: [], usage: null }]);

    expect(completion.usage).toMatchObject({ promptTokens: 3, completionTokens: 2, totalTokens: 5 });
  });

  it("counts what came last, not the sum", () => {
    const later = { ...usage, completion_tokens: 9, total_tokens: 12 };

    expect(
      decoded([
        { ...chunk({ content: "x" }), usage },
        { ...finished, usage: later },
      ]).completion.usage,
    ).toMatchObject({ completionTokens: 9, totalTokens: 12 });
  });

  it.each([
    ["stop", "tool-calls"],
    ["length", "length"],
  ])("says of calls that ended with %s: %s", (reason, stop) => {
    const call = fragments({ index: 0, function: { name: "a", arguments: '{"x":' } });

    expect(decoded([call, chunk({}, { finish_reason: reason })]).completion).toMatchObject({
      stop,
      finishReason: reason,
      calls: [{ arguments: null, invalidArguments: '{"x":' }],
    });
  });

  it("needs no reason where the vendor says that it is done", () => {
    const call = fragments({ function: { name: "a" } });

    expect(decoded([call, "[DONE]"]).completion).toMatchObject({ stop: "tool-calls", finishReason: null });
  });

  it("is over with the first [DONE]", () => {
    expect(decoded([chunk({ content: "x" }), " [DONE] ", chunk({ content: "y" }), "[DONE]"]).completion.text).toBe("x");
  });

  it("tells whether the answer is whole, and whether any of it has come", () => {
    const decoder = decoderOf();
    const seen = () => [decoder.state, decoder.hasContent];
    const states = [seen()];
    for (const payload of [chunk({ role: "assistant", content: "" }), fragments({ index: 0 }), finished]) {
      decoder.push(JSON.stringify(payload));
      states.push(seen());
    }
    decoder.push("[DONE]");

    expect([...states, seen()]).toEqual([
      ...[
        ["open", false],
        ["open", false],
        ["open", true],
        ["finished", true],
        ["done", true],
      ],
    ]);
  });

  it.each(["ping", "", "[]", "5", "null", '{"choices":null}', '{"choices":[null]}', '{"choices":[{"delta":null}]}'])(
    "passes over %j",
    (noise) => {
      expect(decoded([noise, chunk({ content: "x" }), noise, finished]).completion.text).toBe("x");
    },
  );
});

describe("an answer in one piece", () => {
  it("has a call for each entry, even under one id", () => {
    const decoder = decoderOf();
    const entry = { id: "1", function: { name: "a", arguments: "{}" } };
    decoder.whole({ model: "m", choices: [{ message: { content: null, tool_calls: [entry, entry] } }], usage });

    expect(decoder.state).toBe("done");
    expect(decoder.end()).toMatchObject({
      text: null,
      calls: [
        { name: "a", vendorId: "1" },
        { name: "a", arguments: {} },
      ],
      stop: "tool-calls",
    });
  });

  it.each([
    ["a list", [], "bad_json"],
    ["nothing in it", {}, "empty"],
  ])("is malformed with %s", (_what, body, vendorCode) => {
    const decoder = decoderOf();

    expect(() => {
      decoder.whole(body);
      decoder.end();
    }).toThrow(expect.objectContaining({ kind: "malformed", vendorCode }));
  });

  it("may be an error", () => {
    expect(() => decoderOf().whole({ error: { message: "Slow down.", code: 429 } })).toThrow(
      expect.objectContaining({ kind: "rate-limited" }),
    );
  });
});
