import type { CompletionRequest, Continuation, Message, ToolSpec } from "@harness/spec";
import { callId } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { responsesWire } from "./responses-wire.js";

const context = { provider: "openai", model: "gpt-5.1" };
const ask: Message = { role: "user", text: "Add 1 and 2." };
const adder: ToolSpec = {
  name: "add",
  description: "Adds.",
  parameters: { type: "object", properties: { a: { type: "number" } } },
};
const minimal: CompletionRequest = { system: "", messages: [ask], tools: [] };

const encode = (request: Partial<CompletionRequest>) => responsesWire().encode({ ...minimal, ...request }, context);

describe("a body of the Responses API", () => {
  it("holds nothing that was not asked for", () => {
    expect(encode({})).toEqual({
      model: "gpt-5.1",
      input: [{ role: "user", content: [{ type: "input_text", text: "Add 1 and 2." }] }],
      store: false,
      stream: true,
    });
  });

  it("has all that can be asked for, in one order", () => {
    const body = encode({ system: "Be brief.", tools: [adder], maxOutputTokens: 100, effort: "high", cacheThrough: 1 });
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        model: "gpt-5.1",
        instructions: "Be brief.",
        input: [{ role: "user", content: [{ type: "input_text", text: "Add 1 and 2." }] }],
        tools: [{ type: "function", ...adder, strict: false }],
        max_output_tokens: 100,
        reasoning: { effort: "high", summary: "auto" },
        include: ["reasoning.encrypted_content"],
        store: false,
        stream: true,
      }),
    );
  });

  it("asks for the effort that the provider was made with, unless the request names one", () => {
    const { encode } = responsesWire({ effort: "low" });
    expect(encode(minimal, context).reasoning).toEqual({ effort: "low", summary: "auto" });
    expect(encode({ ...minimal, effort: "high" }, context).reasoning).toEqual({ effort: "high", summary: "auto" });
  });

  it("puts pictures behind the words they belong to", () => {
    const images = [{ mediaType: "image/png", base64: "aGk=" }] as const;
    expect(encode({ messages: [{ role: "user", text: "What is it?", images }] }).input).toEqual([
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is it?" },
          { type: "input_image", image_url: "data:image/png;base64,aGk=", detail: "auto" },
        ],
      },
    ]);
  });

  it("asks for strictness only of a schema that leaves nothing open", () => {
    const open = { type: "object", properties: { sum: { type: "number" } } };
    const closed = { ...open, required: ["sum"], additionalProperties: false };
    const format = { type: "json_schema", name: "answer" };
    expect(encode({ output: open }).text).toEqual({ format: { ...format, schema: open, strict: false } });
    expect(encode({ output: closed }).text).toEqual({ format: { ...format, schema: closed, strict: true } });
  });

  it("replaces half a surrogate pair, which vendors refuse", () => {
    const body = JSON.stringify(encode({ system: "a\uD800b", messages: [{ role: "user", text: "c\uDC00d" }] }));
    expect(body).toContain("a\uFFFDb");
    expect(body).toContain("c\uFFFDd");
    expect(body).not.toMatch(/\\ud[89a-f]/i);
  });

  it("is refused, with nothing sent, when a call has no result", () => {
    const calls = [{ id: callId(1, 0), name: "add", arguments: {} }];
    const messages: Message[] = [ask, { role: "assistant", text: null, calls }];
    expect(() => encode({ messages })).toThrow(expect.objectContaining({ code: "config-invalid" }));
  });
});

const calls = [
  { id: callId(1, 0), name: "add", arguments: { a: 1 }, vendorId: "call_x" },
  { id: callId(1, 1), name: "add", arguments: null, invalidArguments: "{", vendorId: "call_y" },
];
const results: Message = {
  role: "results",
  results: [
    { call: callId(1, 1), content: "", isError: true },
    { call: callId(1, 0), content: "3" },
  ],
};

describe("a turn with calls", () => {
  const inputOf = (text: string | null, continuation?: Continuation) => {
    const assistant: Message = { role: "assistant", text, calls, ...(continuation && { continuation }) };
    return encode({ messages: [ask, assistant, results], tools: [adder] }).input as unknown[];
  };
  const call = (id: string, input: string) => ({
    type: "function_call",
    call_id: id,
    name: "add",
    arguments: input,
  });
  const output = (id: string, content: string) => ({ type: "function_call_output", call_id: id, output: content });
  const said = (text: string, phase?: string) => ({
    role: "assistant",
    content: [{ type: "output_text", text }],
    ...(phase && { phase }),
  });
  const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "secret" };
  const own = (...items: object[]) => ({ ...context, data: { items } }) as unknown as Continuation;

  it("goes out as items with ids of ours, results in the order of the calls", () => {
    expect(inputOf("Adding.").slice(1)).toEqual([
      said("Adding."),
      call("t00010000", '{"a":1}'),
      call("t00010001", "{}"),
      output("t00010000", "3"),
      output("t00010001", "(no output)"),
    ]);
  });

  it("has the model's reasoning back before what it preceded, and the vendor's ids with it", () => {
    const items = [
      { type: "message", chars: 3, phase: "commentary" },
      { type: "reasoning", item: thought },
      { type: "call" },
      { type: "call" },
    ];
    expect(inputOf("Hm.", own(...items)).slice(1, 5)).toEqual([
      said("Hm.", "commentary"),
      thought,
      call("call_x", '{"a":1}'),
      call("call_y", "{}"),
    ]);
  });

  it("has its messages apart again", () => {
    const items = [
      { type: "message", chars: 3 },
      { type: "reasoning", item: thought },
      { type: "message", chars: 4 },
    ];
    expect(inputOf("One\n\nTwo.", own(...items)).slice(1, 4)).toEqual([said("One"), thought, said("Two.")]);
    const changed = inputOf("[redacted:KEY]\n\nTwo.", own(...items)).slice(1, 4);
    expect(changed).toEqual([said("[redacted:KEY]\n\nTwo."), thought, call("call_x", '{"a":1}')]);
  });

  it("never ends in reasoning, which the vendor refuses", () => {
    const messages: Message[] = [
      ask,
      {
        role: "assistant",
        text: "3.",
        calls: [],
        continuation: own({ type: "message", chars: 2 }, { type: "reasoning", item: thought }),
      },
    ];
    expect((encode({ messages }).input as unknown[]).slice(1)).toEqual([said("3.")]);
  });

  it("shows another model nothing of the reasoning", () => {
    const items = [{ type: "reasoning", item: thought }];
    for (const other of [{ model: "gpt-6" }, { provider: "azure" }]) {
      const input = inputOf("Adding.", { ...own(...items), ...other });
      expect(input).toEqual(inputOf("Adding."));
    }
  });

  it("passes over a continuation that it cannot read", () => {
    const input = inputOf(null, { ...context, data: { items: [null, { type: "message" }, { type: "new" }] } });
    expect(input.slice(1, 3)).toEqual([call("call_x", '{"a":1}'), call("call_y", "{}")]);
  });
});
