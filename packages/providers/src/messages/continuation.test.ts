import { type CompletionRequest, callId, type JsonObject, type Message } from "@harness/spec";
import { describe, expect, it } from "vitest";
import type { Decoded } from "../wire.js";
import {
  block,
  called,
  decoded,
  encoded,
  ended,
  json,
  request,
  signed,
  started,
  stopped,
  text,
  thought,
  tools,
} from "./messages.test-support.js";

const thinking = { type: "thinking", thinking: "Both.\n", signature: "c2ln" };
const redacted = { type: "redacted_thinking", data: "cmVk" };

/** Thinking, words, more thinking, two calls. */
const answer = decoded([
  started(),
  block(0, { type: "thinking", thinking: "", signature: "" }),
  thought(0, "Both.\n"),
  signed(0, "c2ln"),
  text(1, "I read "),
  block(2, redacted),
  text(3, "and list."),
  called(4, "read_file"),
  json(4, '{"path":"a"}'),
  called(5, "read_file"),
  stopped("tool_use"),
  ended,
]);

/** The conversation after `completion`, as the loop keeps it. */
function after(completion: Decoded, text = completion.text): readonly Message[] {
  const calls = completion.calls.map((call, index) => ({ ...call, id: callId(1, index + 1) }));
  const { continuation } = completion;
  return [
    { role: "user", text: "Go." },
    { role: "assistant", text, calls, ...(continuation ? { continuation } : {}) },
    ...(calls.length > 0
      ? [{ role: "results" as const, results: calls.map(({ id }) => ({ call: id, content: "x" })) }]
      : [{ role: "user" as const, text: "And?" }]),
  ];
}

function contentOf(given: Partial<CompletionRequest>, model?: string, provider?: string) {
  const { messages } = encoded(request({ tools, ...given }), model, provider);
  return (messages as readonly { content: readonly JsonObject[] }[])[1]?.content;
}

describe("thinking that goes back", () => {
  const read = (id: string, input = {}) => ({ type: "tool_use", id, name: "read_file", input });

  it("stands where it stood, unchanged, and the calls have the vendor's ids", () => {
    expect(contentOf({ messages: after(answer) })).toEqual([
      thinking,
      { type: "text", text: "I read " },
      redacted,
      { type: "text", text: "and list." },
      read("toolu_4", { path: "a" }),
      read("toolu_5"),
    ]);
  });

  it.each([
    ["model", "claude-opus-4-5", "anthropic"],
    ["provider", "claude-sonnet-4-5", "elsewhere"],
  ])("is gone for another %s, and the ids are ours", (_, model, provider) => {
    expect(contentOf({ messages: after(answer) }, model, provider)).toEqual([
      { type: "text", text: "I read and list." },
      read("t00010000", { path: "a" }),
      read("t00010001"),
    ]);
  });

  it("comes back when its own model does", () => {
    const messages = after(answer);
    const before = contentOf({ messages });
    contentOf({ messages }, "claude-opus-4-5");

    expect(contentOf({ messages })).toEqual(before);
  });

  it("lets a model with a budget think on", () => {
    expect(encoded(request({ tools, effort: "low", messages: after(answer) }))).toMatchObject({
      thinking: { budget_tokens: 1024 },
    });
  });

  it("has a text that was changed in one piece", () => {
    expect(contentOf({ messages: after(answer, "I read [it].") })).toMatchObject([
      thinking,
      { text: "I read [it]." },
      redacted,
      { id: "toolu_4" },
      { id: "toolu_5" },
    ]);
  });

  it("is not last in its message, where it is refused", () => {
    const cut = decoded([started(), text(0, "So"), block(1, redacted), stopped("max_tokens")]);

    expect(contentOf({ messages: after(cut) })).toEqual([{ type: "text", text: "So" }]);
  });

  it("leaves all words and calls in the transcript, whatever it says itself", () => {
    const messages = after(answer).map((message) =>
      message.role === "assistant" && message.continuation
        ? { ...message, continuation: { ...message.continuation, data: { pieces: [thinking, { type: "novel" }, 1] } } }
        : message,
    );

    expect(contentOf({ messages })).toMatchObject([
      thinking,
      { text: "I read and list." },
      { id: "toolu_4" },
      { id: "toolu_5" },
    ]);
  });
});
