import { describe, expect, it } from "vitest";
import { chunk, decoded, finished, fragments } from "./chat.test-support.js";

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

function failure(...payloads: Parameters<typeof decoded>[0]): unknown {
  try {
    return decoded(payloads);
  } catch (error) {
    return error;
  }
}

describe("a stream that is no answer", () => {
  it("is truncated when it ends before it is whole, and was billed", () => {
    expect(failure({ ...chunk({ content: "Half an" }), usage })).toMatchObject({
      kind: "malformed",
      vendorCode: "truncated",
      usage: { promptTokens: 3 },
    });
  });

  it("is truncated in the middle of a call, of which nothing is told", () => {
    expect(failure(fragments({ index: 0, function: { name: "a", arguments: '{"x":' } }))).toMatchObject({
      vendorCode: "truncated",
    });
  });

  it("is malformed where a chunk is cut", () => {
    expect(failure(chunk({ content: "x" }), '{"choices":[{"delta":{"content":"a')).toMatchObject({
      kind: "malformed",
      vendorCode: "bad_json",
    });
  });

  it("is empty without text, calls and counts, but a refusal with counts is an answer", () => {
    expect(failure(finished)).toMatchObject({ kind: "malformed", vendorCode: "empty" });
    expect(failure("[DONE]")).toMatchObject({ vendorCode: "empty" });
    expect(decoded([finished, { usage }]).completion).toMatchObject({ text: null, calls: [], stop: "end" });
  });

  it.each(["error", "network_error", "insufficient_system_resource"])("broke off with %s", (reason) => {
    expect(failure(chunk({ content: "x" }), { ...chunk({}, { finish_reason: reason }), usage })).toMatchObject({
      kind: "server",
      isRetryable: true,
      vendorCode: reason,
      usage: { totalTokens: 5 },
    });
  });

  it("overflows when the context is full and nothing was written", () => {
    const full = chunk({}, { finish_reason: "model_context_window_exceeded" });

    expect(failure({ ...full, usage })).toMatchObject({ kind: "context-overflow", isRetryable: false });
    expect(decoded([chunk({ content: "x" }), full]).completion).toMatchObject({ text: "x", stop: "length" });
  });

  it.each<[string, object, object]>([
    ["a status", { error: { code: 429, message: "Slow down." } }, { kind: "rate-limited" }],
    ["a word", { error: { code: "insufficient_quota", message: "Pay." } }, { kind: "quota", isRetryable: false }],
    ["mere text", { error: "something broke" }, { kind: "server" }],
    ["a list around it", [{ error: { code: 503, message: "Busy." } }] as object, { kind: "server" }],
    ["in the choice", chunk({}, { error: { code: 503 }, finish_reason: "error" }), { kind: "server" }],
    ["itself", { object: "error", message: "Busy.", code: 503 }, { kind: "server" }],
  ])("fails with an error that is %s, first or later", (_what, error, expected) => {
    expect(failure(error as never)).toMatchObject(expected);
    expect(failure({ ...chunk({ content: "x" }), usage }, error as never)).toMatchObject({
      ...expected,
      usage: { totalTokens: 5 },
    });
  });

  it("is told of in the words of the vendor behind a gateway", () => {
    const metadata = { provider_name: "Alpha", raw: '{"error":{"message":"worker restarted"}}' };
    const error = { code: 502, message: "Provider returned error", metadata };

    expect(failure({ error })).toMatchObject({ message: expect.stringMatching(/Alpha.*worker restarted/) });
  });
});
