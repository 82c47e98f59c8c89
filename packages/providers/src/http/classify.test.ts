import type { ProviderFailure } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { malformed, statusError, streamError } from "./classify.js";

const answer = (status: number, body: unknown = "", headers: Readonly<Record<string, string>> = {}) =>
  statusError({ provider: "acme", status, headers, body: typeof body === "string" ? body : JSON.stringify(body) });

const statuses: readonly (readonly [number, ProviderFailure, boolean])[] = [
  ...([100, 300, 301, 302, 304, 307, 308] as const).map((status) => [status, "request", false] as const),
  ...([400, 404, 405, 406, 410, 415, 418, 422, 431, 451, 499] as const).map(
    (status) => [status, "request", false] as const,
  ),
  ...([401, 403] as const).map((status) => [status, "auth", false] as const),
  [402, "quota", false],
  [408, "timeout", true],
  [413, "context-overflow", false],
  ...([409, 425, 500, 501, 502, 503, 504, 520, 522, 524, 529] as const).map(
    (status) => [status, "server", true] as const,
  ),
  ...([429, 498] as const).map((status) => [status, "rate-limited", true] as const),
];

const overflows = [
  "This model's maximum context length is 8192 tokens.",
  "This model's maximum prompt length is 131072",
  "Please reduce the length of the messages or completion.",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "Input is too long for requested model.",
  "input length and `max_tokens` exceed context limit: 1 + 2 > 3",
  "Your input exceeds the context window of this model.",
  "the request exceeds the available context size",
  "The number of tokens to keep is greater than the context length",
  "Your request exceeded model token limit: 8192",
  "The input token count (99) exceeds the maximum",
  "Too many tokens in the prompt",
];

describe("a status", () => {
  it.each(statuses)("%d is %s", (status, kind, isRetryable) => {
    expect(answer(status)).toMatchObject({
      ...{ kind, isRetryable, status, provider: "acme" },
      code: "provider-failed",
    });
  });

  it.each(overflows)("400 with %j is a context overflow", (message) => {
    expect(answer(400, { error: { message } })).toMatchObject({ kind: "context-overflow", isRetryable: false });
    expect(answer(400, message.toUpperCase()).kind).toBe("context-overflow");
  });

  it("400 with the code of a context overflow is one, and with the code of a failed tool call asks again", () => {
    expect(answer(400, { error: { code: "context_length_exceeded" } }).kind).toBe("context-overflow");
    expect(answer(400, { error: { code: "tool_use_failed", message: "bad call" } })).toMatchObject({
      ...{ kind: "malformed", vendorCode: "tool_use_failed", isRetryable: true },
    });
  });

  it("other than 400 is moved nowhere by its wording", () => {
    const error = { message: "prompt is too long, insufficient_quota", code: "context_length_exceeded" };

    expect([429, 500, 422, 401].map((status) => answer(status, { error }).kind)).toEqual([
      ...["rate-limited", "server", "request", "auth"],
    ]);
  });

  it("429 is a quota with the codes of one, and a rate limit when only its words say so", () => {
    for (const code of ["insufficient_quota", "billing_hard_limit_reached", "billing_error"]) {
      expect(answer(429, { error: { code } })).toMatchObject({ kind: "quota", isRetryable: false, vendorCode: code });
      expect(answer(429, { error: { type: code, code: null } }).kind).toBe("quota");
    }
    expect(answer(429, { error: { message: "You exceeded your current quota." } }).kind).toBe("rate-limited");
  });

  it("402 is an empty account, or a spending window when it says how long to wait", () => {
    expect(answer(402, "", { "retry-after": "30" })).toMatchObject({ kind: "rate-limited", retryAfterMs: 30_000 });
    expect(answer(402, "", { "retry-after": "soon" }).kind).toBe("quota");
  });

  it("is final when the vendor says so, and never becomes retryable because it says so", () => {
    const says = (status: number, word: string) => answer(status, "", { "x-should-retry": word }).isRetryable;

    expect([503, 429, 408].map((status) => says(status, "false"))).toEqual([false, false, false]);
    expect([401, 400, 402, 413].map((status) => says(status, "true"))).toEqual([false, false, false, false]);
    expect(says(503, "true")).toBe(true);
  });
});

describe("the body of a failed answer", () => {
  it.each([
    [{ error: { message: "no", code: "a", type: "b", status: "c" } }, "a", "no"],
    [{ error: { message: "no", code: "", type: "b" } }, "b", "no"],
    [{ error: { message: "no", code: 429, status: "EXHAUSTED" } }, "EXHAUSTED", "no"],
    [{ error: { message: "no", code: 402 } }, "402", "no"],
    [{ type: "error", error: { type: "overloaded_error", message: "no" } }, "overloaded_error", "no"],
    [{ error: "no" }, undefined, "no"],
    [{ message: "no" }, undefined, "no"],
    [{ detail: "no" }, undefined, "no"],
    [{ detail: [{ msg: "no" }] }, undefined, '{"detail":[{"msg":"no"}]}'],
    [[{ error: { message: "no", code: "a" } }], "a", "no"],
    ["no", undefined, "no"],
    ["null", undefined, "it did not say why"],
    ["{}", undefined, "it did not say why"],
    ["", undefined, "the answer has no body"],
    ['{"error":', undefined, '{"error":'],
  ])("%j is read", (body, vendorCode, message) => {
    const error = answer(422, body);

    expect([error.vendorCode, error.message]).toEqual([vendorCode, expect.stringContaining(`: ${message}. `)]);
  });

  it("gives its title alone when it is a web page", () => {
    const { kind, message } = answer(
      502,
      "<!DOCTYPE html><html><head><title>Bad gateway</title></head><body><h1>x</h1>",
    );

    expect([kind, message]).toEqual(["server", 'acme answered 502: a web page instead of JSON ("Bad gateway").']);
  });

  it("gives the words of the upstream behind a gateway, with its name", () => {
    const raw = JSON.stringify({ error: { message: "Model is warming up" } });
    const metadata = { provider_name: "Upstream", raw };

    expect(answer(503, { error: { code: 503, message: "Provider returned error", metadata } }).message).toContain(
      "acme answered 503: Upstream: Model is warming up.",
    );
    expect(answer(503, { error: { message: "x", metadata: { raw: "down" } } }).message).toContain(": down.");
  });

  it("is cut, cleaned of keys, and put on one line", () => {
    const { message } = answer(401, `Wrong key sk-abcdefghijklmnop\n${"x".repeat(5_000)}`);

    expect(message).toContain("Wrong key [redacted] xxx");
    expect(message.length).toBeLessThan(2_200);
  });

  it("names the exchange when no header does", () => {
    expect(answer(500, { error: {}, request_id: "req_1" }).requestId).toBe("req_1");
    expect(answer(500, { error: {}, request_id: "req_1" }, { "request-id": "req_2" }).requestId).toBe("req_2");
  });
});

it("says where a redirect leads, without what is secret in an address", () => {
  const { message } = answer(302, "", { location: "https://me:word@other.example/login?key=abc" });

  expect(message).toBe(
    "acme answered 302, a redirect to https://other.example/login that is not followed: the answer has no body. " +
      "Correct the base URL.",
  );
});

describe("a failure inside an answer", () => {
  const usage = {
    promptTokens: 1,
    completionTokens: 1,
    totalTokens: 2,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };

  it.each([
    [{ code: 429, message: "slow down" }, "rate-limited", "429"],
    [{ code: "502", message: "down" }, "server", "502"],
    [{ code: 400, message: "prompt is too long" }, "context-overflow", "400"],
    [{ code: 402 }, "quota", "402"],
    [{ type: "overloaded_error", message: "Overloaded" }, "server", "overloaded_error"],
    [{ type: "error", error: { type: "rate_limit_error" } }, "rate-limited", "rate_limit_error"],
    [{ type: "error", code: "rate_limit_exceeded", message: "slow" }, "rate-limited", "rate_limit_exceeded"],
    [{ type: "invalid_request_error" }, "request", "invalid_request_error"],
    [{ type: "invalid_request_error", message: "prompt is too long: 9" }, "context-overflow", "invalid_request_error"],
    [{ type: "invalid_request_error", code: "context_length_exceeded" }, "context-overflow", "context_length_exceeded"],
    [{ type: "invalid_request_error", code: "unsupported" }, "request", "unsupported"],
    [{ type: "request_too_large" }, "context-overflow", "request_too_large"],
    [{ type: "authentication_error" }, "auth", "authentication_error"],
    [{ type: "permission_error" }, "auth", "permission_error"],
    [{ type: "billing_error" }, "quota", "billing_error"],
    [{ code: "insufficient_quota", type: "insufficient_quota" }, "quota", "insufficient_quota"],
    [{ code: "tool_use_failed" }, "malformed", "tool_use_failed"],
    [{ type: "timeout_error" }, "timeout", "timeout_error"],
    [{ code: "constructor", message: "odd" }, "server", "constructor"],
    [{ error: "went wrong" }, "server", undefined],
    ["went wrong", "server", undefined],
    [null, "server", undefined],
  ])("%j is classified", (error, kind, vendorCode) => {
    expect(streamError("acme", error, { usage })).toMatchObject({ kind, vendorCode, usage, provider: "acme" });
  });

  it("may ask to wait", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.5s" }];

    expect(streamError("acme", { code: 429, details }).retryAfterMs).toBe(1_500);
  });
});

it("gives a malformed answer its one word, and what was counted", () => {
  expect(malformed("acme", "truncated", "acme broke off.")).toMatchObject({
    ...{ kind: "malformed", vendorCode: "truncated", message: "acme broke off.", isRetryable: true, usage: undefined },
  });
});
