import type { CompletionRequest } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { responsesWire } from "./responses-wire.js";

const name = "read file";
const request: CompletionRequest = {
  system: "",
  messages: [{ role: "user", text: "Hi." }],
  tools: [{ name, description: "", parameters: {} }],
};

const open = () => responsesWire().decoder({ provider: "openai", model: "gpt-5.1", request, onDelta: () => {} });

function decode(...payloads: readonly (string | object)[]) {
  const decoder = open();
  for (const payload of payloads) decoder.push(typeof payload === "string" ? payload : JSON.stringify(payload));
  return decoder.end();
}

const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const completed = (more: object = {}) => ({
  ...{ type: "response.completed", response: { status: "completed", usage, ...more } },
});
const done = (output_index: number, item: object) => ({ type: "response.output_item.done", output_index, item });
const call = (more: object = {}) => ({
  ...{ type: "function_call", name: "add", call_id: "c", arguments: '{"a":1}', status: "in_progress", ...more },
});
const failing = (kind: string, more: object = {}) => expect.objectContaining({ kind, ...more });

describe("a call on the Responses API", () => {
  it("counts although its last status is that it is in progress", () => {
    const { calls, stop } = decode(done(0, call()), completed());
    expect(calls).toEqual([{ name: "add", arguments: { a: 1 }, vendorId: "c" }]);
    expect(stop).toBe("tool-calls");
  });

  it("gets the tool's own name back", () => {
    const { tools } = responsesWire().encode(request, { provider: "openai", model: "m" });
    const [tool] = tools as readonly { readonly name: string }[];
    expect(tool?.name).not.toBe(name);
    expect(decode(done(0, call({ name: tool?.name })), completed()).calls).toMatchObject([{ name }]);
  });

  it("has its arguments from the last event about them", () => {
    const event = { type: "response.function_call_arguments.done", output_index: 3, arguments: '{"a":2}' };
    const delta = { type: "response.function_call_arguments.delta", output_index: 3, delta: '{"a":' };
    const item = { type: "response.output_item.added", output_index: 3, item: call({ arguments: "" }) };
    expect(decode(item, delta, event, completed()).calls).toMatchObject([{ arguments: { a: 2 } }]);
    expect(decode(item, event, done(3, call({ arguments: "" })), completed()).calls).toMatchObject([
      { arguments: { a: 2 } },
    ]);
  });

  it("has no id of the vendor's when another call has it, and is left out without a name", () => {
    const { calls } = decode(done(4, call({ name: "b" })), done(0, call()), done(7, call({ name: "" })), completed());
    expect(calls).toEqual([
      { name: "add", arguments: { a: 1 }, vendorId: "c" },
      { name: "b", arguments: { a: 1 } },
    ]);
  });

  it("is not made of what ran at the vendor", () => {
    const search = { type: "web_search_call", name: "web_search", call_id: "", arguments: '{"query":"x"}' };
    const searching = { type: "response.web_search_call.searching", output_index: 0 };
    expect(decode(searching, done(0, search), completed())).toMatchObject({ calls: [], text: null, stop: "end" });
  });
});

describe("reasoning to be continued", () => {
  const thought = (id: string) => ({ type: "reasoning", id, summary: [], encrypted_content: id });
  const itemsOf = (...items: object[]) => {
    const { continuation } = decode(...items.map((item, index) => done(index, item)), completed());
    return continuation?.data.items;
  };

  it("is kept with what it preceded, and not what ran at the vendor or had no follower", () => {
    const message = { type: "message", content: [{ type: "output_text", text: "Yes." }] };
    const items = [
      thought("a"),
      { type: "web_search_call" },
      thought("b"),
      thought("c"),
      message,
      thought("d"),
      call(),
    ];
    expect(itemsOf(...items, thought("e"))).toEqual([
      { type: "reasoning", item: thought("b") },
      { type: "reasoning", item: thought("c") },
      { type: "message", chars: 4 },
      { type: "reasoning", item: thought("d") },
      { type: "call" },
    ]);
  });

  it("is not kept when the vendor keeps it", () => {
    expect(itemsOf({ ...thought("a"), encrypted_content: null }, call())).toBeUndefined();
  });
});

describe("an answer that is none", () => {
  it("fails for good, and says so, when it comes in the form of another API", () => {
    const chunk = { object: "chat.completion.chunk", choices: [{ delta: { content: "Hi" } }] };
    expect(() => decode(chunk)).toThrow(/form of Chat Completions.*Chat provider/);
    expect(() => open().whole({ ...chunk, object: "chat.completion" })).toThrow(failing("request"));
  });

  it.each([
    ["nested", { type: "error", error: { code: "rate_limit_exceeded", message: "Slow down." } }],
    ["flat", { type: "error", code: "rate_limit_exceeded", message: "Slow down." }],
    ["without a type", { error: { code: 429, message: "Slow down." } }],
    ["in a response", { type: "response.failed", response: { error: { code: "rate_limit_exceeded", message: "" } } }],
  ])("fails as the vendor's error says, %s", (_shape, event) => {
    expect(() => decode(event)).toThrow(failing("rate-limited", { isRetryable: true }));
  });

  it("keeps the counts of a failed response, which are billed", () => {
    const event = { type: "response.failed", response: { error: { code: "server_error", message: "x" }, usage } };
    expect(() => decode(event)).toThrow(failing("server", { usage: expect.objectContaining({ totalTokens: 15 }) }));
  });

  it.each([
    ["truncated", [{ type: "response.created", response: { model: "m" } }]],
    ["truncated", []],
    ["bad_json", ['{"type":"response.comp']],
    ["empty", [completed({ usage: null })]],
  ])("is malformed: %s", (vendorCode, payloads) => {
    expect(() => decode(...payloads)).toThrow(failing("malformed", { vendorCode }));
  });

  it.each([["a"], [null], [{ status: "in_progress", output: [] }], [{}]])("is malformed as a body: %j", (body) => {
    const decoder = open();
    expect(() => {
      decoder.whole(body);
      decoder.end();
    }).toThrow(failing("malformed"));
  });

  it("fails as a failed body says", () => {
    const body = { status: "failed", error: { code: "insufficient_quota", message: "x" } };
    expect(() => open().whole(body)).toThrow(failing("quota"));
  });

  it("passes over what is no event, and whatever follows the end", () => {
    expect(decode("[DONE]", "ping", { type: "response.new" }, completed(), "{", "[DONE]").usage?.totalTokens).toBe(15);
  });
});

describe("counts of the Responses API", () => {
  it("take reasoning into the completion when the total shows that it was left out", () => {
    const counts = { ...{ input_tokens: 12, output_tokens: 1, total_tokens: 303 } };
    const { usage } = decode(completed({ usage: { ...counts, output_tokens_details: { reasoning_tokens: 290 } } }));
    expect(usage).toMatchObject({ completionTokens: 291, reasoningTokens: 290, totalTokens: 303 });
  });

  it("hold cache reads and writes", () => {
    const details = { input_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 } };
    expect(decode(completed({ usage: { ...usage, ...details } })).usage).toMatchObject({
      ...{ promptTokens: 10, cacheReadTokens: 4, cacheWriteTokens: 3 },
    });
  });

  it("are absent when the vendor counted nothing", () => {
    const item = { type: "message", content: [{ type: "output_text", text: "Hi." }] };
    expect(decode(done(0, item), completed({ usage: {} })).usage).toBeNull();
  });
});
