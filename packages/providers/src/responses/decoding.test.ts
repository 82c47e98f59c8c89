import type { CompletionRequest, Delta } from "@harness/spec";
import { isHarnessError } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { vendorCases } from "../__fixtures__/load.test-support.js";
import { responsesWire } from "./responses-wire.js";

const request: CompletionRequest = { system: "", messages: [{ role: "user", text: "Hi." }], tools: [] };

function open() {
  const deltas: Delta[] = [];
  const onDelta = (delta: Delta) => deltas.push(delta);
  const decoder = responsesWire().decoder({ provider: "openai", model: "gpt-5.1", request, onDelta });
  return { decoder, deltas };
}

function decode(payloads: readonly (string | object)[]) {
  const { decoder, deltas } = open();
  for (const payload of payloads) decoder.push(typeof payload === "string" ? payload : JSON.stringify(payload));
  return { deltas, state: decoder.state, completion: decoder.end() };
}

/** What a watcher has on the screen. */
function shown(deltas: readonly Delta[], type: "text" | "reasoning"): string {
  const from = 1 + deltas.findLastIndex((delta) => delta.type === "reset");
  return deltas.slice(from).reduce((text, delta) => (delta.type === type ? text + delta.text : text), "");
}

const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const completed = { type: "response.completed", response: { status: "completed", model: "m-1", usage } };
const text = (output_index: number, delta: string, content_index = 0) => ({
  ...{ type: "response.output_text.delta", output_index, content_index, delta },
});
const added = (output_index: number, item: object) => ({ type: "response.output_item.added", output_index, item });
const done = (output_index: number, item: object) => ({ type: "response.output_item.done", output_index, item });
const message = (...texts: string[]) => ({
  type: "message",
  content: texts.map((text) => ({ type: "output_text", text })),
});

describe("a recorded answer of the Responses API", () => {
  for (const item of vendorCases("openai-responses")) {
    const { expected } = item;
    if (expected.type === "failure") {
      it(`fails as the vendor said: ${item.name}`, () => {
        const { kind, vendorCode, isRetryable } = expected.failure;
        expect(() => decode(item.payloads())).toThrow(expect.objectContaining({ kind, vendorCode, isRetryable }));
      });
      continue;
    }
    it(`decodes whole: ${item.name}`, () => {
      const { completion, deltas, state } = decode(item.payloads());
      expect(completion).toMatchObject(expected.completion);
      expect(state).toBe("done");
      expect(shown(deltas, "text")).toBe(completion.text ?? "");
      expect(shown(deltas, "reasoning")).toBe(completion.reasoning ?? "");
    });

    it(`is itself or nothing when it is cut off: ${item.name}`, () => {
      const payloads = item.payloads();
      const whole = decode(payloads).completion;
      for (let length = 0; length < payloads.length; length += 1) {
        expect(partOf(payloads.slice(0, length), whole)).toBe(true);
      }
    });

    it(`decodes the same from a body that is no stream: ${item.name}`, () => {
      const last = JSON.parse(item.payloads().at(-1) ?? "") as { response: unknown };
      const { decoder, deltas } = open();
      decoder.whole(last.response);
      const completion = decoder.end();
      expect(completion).toMatchObject(expected.completion);
      expect(shown(deltas, "text")).toBe(completion.text ?? "");
    });
  }

  function partOf(payloads: readonly string[], whole: object): boolean {
    try {
      expect(decode(payloads).completion).toEqual(whole);
      return true;
    } catch (error) {
      return isHarnessError(error) && error.code === "provider-failed" && error.kind === "malformed";
    }
  }
});

describe("an answer in pieces", () => {
  it("is joined by the place of its items, whatever their ids", () => {
    const { completion } = decode([
      added(1, { type: "message", id: "a" }),
      { ...text(1, "On"), item_id: "b" },
      { ...text(1, "e"), item_id: "c" },
      done(1, { ...message("One"), id: "d" }),
      completed,
    ]);
    expect(completion.text).toBe("One");
  });

  it("shows what the last word on an item adds to what was streamed", () => {
    const { completion, deltas } = decode([text(0, "One"), done(0, message("One, two.")), completed]);
    expect(completion.text).toBe("One, two.");
    expect(deltas).toEqual([
      { type: "text", text: "One" },
      { type: "text", text: ", two." },
    ]);
  });

  it("starts over for watchers when the last word takes back what was streamed", () => {
    const reasoning = { type: "response.reasoning_text.delta", output_index: 0, content_index: 0, delta: "Hm." };
    const { completion, deltas } = decode([
      reasoning,
      text(1, "On", 0),
      text(1, "x", 1),
      done(1, message("Two")),
      completed,
    ]);
    expect(completion).toMatchObject({ text: "Two", reasoning: "Hm." });
    expect(deltas.slice(3)).toEqual([
      { type: "reset" },
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Two" },
    ]);
  });

  it("puts messages in order that were streamed across each other", () => {
    const { completion, deltas } = decode([text(0, "a"), text(2, "c"), text(0, "b"), completed]);
    expect(completion.text).toBe("ab\n\nc");
    expect(shown(deltas, "text")).toBe("ab\n\nc");
  });

  it("keeps what was streamed when the last word on it holds nothing", () => {
    const item = { type: "reasoning", summary: [], content: [] };
    const reasoning = { type: "response.reasoning_text.delta", output_index: 0, content_index: 0, delta: "Hm." };
    const { completion } = decode([reasoning, done(0, item), text(1, "Yes."), done(1, message()), completed]);
    expect(completion).toMatchObject({ text: "Yes.", reasoning: "Hm." });
  });

  it("separates parts of reasoning by a blank line", () => {
    const part = (summary_index: number, delta: string) => ({
      ...{ type: "response.reasoning_summary_text.delta", output_index: 0, summary_index, delta },
    });
    const { completion, deltas } = decode([part(0, "One"), part(0, "."), part(1, "Two."), completed]);
    expect(completion.reasoning).toBe("One.\n\nTwo.");
    expect(shown(deltas, "reasoning")).toBe("One.\n\nTwo.");
  });

  it("is a refusal when the model declines", () => {
    const refusal = { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "No." };
    const { completion } = decode([refusal, completed]);
    expect(completion).toMatchObject({ text: "No.", stop: "content-filter", finishReason: "completed" });
  });

  it("says why it is incomplete", () => {
    const response = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, usage };
    const call = added(0, { type: "function_call", name: "add", call_id: "c" });
    const { completion } = decode([
      call,
      { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"a":' },
      { type: "response.incomplete", response },
    ]);
    expect(completion).toMatchObject({
      stop: "length",
      finishReason: "max_output_tokens",
      calls: [{ name: "add", arguments: null, invalidArguments: '{"a":', vendorId: "c" }],
    });
  });
});
