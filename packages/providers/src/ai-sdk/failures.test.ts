import { inspect } from "node:util";
import type { Delta } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { aiSdk } from "../ai-sdk.js";
import { asking, double, finish, heard, streamOf } from "./doubles.test-support.js";

const key = "sentinel-key-12345678";
const options = { endpoints: [], secrets: [key] };

/** An error as the SDK makes them, told by its name. */
function sdkError(name: string, fields: object = {}, message = "It did not work."): Error {
  return Object.assign(new Error(message), { name, requestBodyValues: { prompt: "secret prompt" }, ...fields });
}

function refusal(statusCode: number, fields: object = {}): Error {
  return sdkError("AI_APICallError", { statusCode, url: "https://acme.example/v1", isRetryable: true, ...fields });
}

async function failure(error: unknown): Promise<unknown> {
  const model = double("v3");
  const provider = aiSdk({ ...model, doStream: () => Promise.reject(error) }, options);
  return provider.complete(asking(), heard().options).catch((thrown: unknown) => thrown);
}

async function failureInStream(parts: readonly unknown[]): Promise<unknown> {
  const provider = aiSdk(double("v3", parts), options);
  return provider.complete(asking(), heard().options).catch((thrown: unknown) => thrown);
}

describe("what an AI SDK model throws", () => {
  it.each([
    [400, "request", false],
    [401, "auth", false],
    [402, "quota", false],
    [408, "timeout", true],
    [413, "context-overflow", false],
    [429, "rate-limited", true],
    [503, "server", true],
  ])("with status %i is %s", async (status, kind, isRetryable) => {
    expect(await failure(refusal(status))).toMatchObject({ kind, status, isRetryable, provider: "acme.chat" });
  });

  it("is read with its headers and its body", async () => {
    const headers = { "Retry-After": "7", "X-Request-Id": "request-9" };
    const quota = JSON.stringify({ error: { code: "insufficient_quota", message: "No credit." } });

    expect(await failure(refusal(429, { responseHeaders: headers }))).toMatchObject({
      ...{ kind: "rate-limited", retryAfterMs: 7_000, requestId: "request-9" },
    });
    expect(await failure(refusal(429, { responseBody: quota }))).toMatchObject({
      ...{ kind: "quota", vendorCode: "insufficient_quota", message: expect.stringContaining("No credit.") },
    });
    expect(await failure(refusal(500, { isRetryable: false }))).toMatchObject({ kind: "server", isRetryable: false });
    expect(await failure(refusal(200))).toMatchObject({ kind: "malformed" });
  });

  it("without a status is the network's doing", async () => {
    const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const fetchFailed = new TypeError("fetch failed", { cause: refused });
    const slow = new TypeError("fetch failed", {
      cause: Object.assign(new Error("x"), { code: "UND_ERR_HEADERS_TIMEOUT" }),
    });

    expect(await failure(sdkError("AI_APICallError", { cause: refused }))).toMatchObject({ kind: "transport" });
    expect(await failure(fetchFailed)).toMatchObject({ kind: "transport" });
    expect(await failure(slow)).toMatchObject({ kind: "timeout" });
    expect(await failure(sdkError("TimeoutError"))).toMatchObject({ kind: "timeout" });
    expect(await failureInStream([new TypeError("terminated")])).toMatchObject({ kind: "transport" });
  });

  it("is told apart by name where the answer or the request was wrong", async () => {
    for (const name of ["AI_JSONParseError", "AI_TypeValidationError", "AI_EmptyResponseBodyError"]) {
      expect(await failure(sdkError(name))).toMatchObject({ kind: "malformed", isRetryable: true });
    }
    for (const name of ["AI_LoadAPIKeyError", "AI_UnsupportedFunctionalityError"]) {
      expect(await failure(sdkError(name))).toMatchObject({ code: "config-invalid" });
    }
  });

  it("is a failure of the server when nobody knows it", async () => {
    for (const error of [new Error("Oh."), "Oh.", undefined, { message: "Oh." }]) {
      expect(await failure(error)).toMatchObject({ kind: "server", isRetryable: true });
    }
  });

  it("is classified in the middle of a stream too, whatever it is", async () => {
    const text = { type: "text-delta", id: "0", delta: "Half" };
    const failed = (error: unknown) => failureInStream([text, { type: "error", error }, finish("v3")]);

    expect(await failed("Overloaded")).toMatchObject({ kind: "server" });
    expect(await failed({ type: "rate_limit_error", message: "Slow down." })).toMatchObject({ kind: "rate-limited" });
    expect(await failed(refusal(429))).toMatchObject({ kind: "rate-limited" });
    expect(await failed(sdkError("AI_TypeValidationError"))).toMatchObject({ kind: "malformed" });
    expect(await failureInStream([text, finish("v3", "error")])).toMatchObject({ kind: "server" });
  });

  it("shows neither a key nor the request", async () => {
    const body = JSON.stringify({ error: { code: `c_${key}`, message: `Wrong key ${key}.` } });
    const headers = { "x-request-id": key };
    const errors = [refusal(401, { responseBody: body, responseHeaders: headers }), sdkError("Any", {}, `Key ${key}`)];
    for (const error of [
      ...errors,
      refusal(200, { message: key }),
      new TypeError("fetch failed", { cause: new Error(key) }),
    ]) {
      const shown = inspect(await failure(error), { depth: 9, showHidden: true });
      expect(shown).not.toContain(key);
      expect(shown).not.toContain("secret prompt");
    }
  });
});

describe("a signal, with an AI SDK model", () => {
  const cancelled = { kind: "cancelled", isRetryable: false };

  it("that has fired asks for nothing", async () => {
    const model = double("v3", [finish("v3")]);
    const asked = aiSdk(model, options).complete(asking(), { signal: AbortSignal.abort() });

    await expect(asked).rejects.toMatchObject(cancelled);
    expect(model.calls).toEqual([]);
  });

  it("ends the wait for a model that does not listen, and closes what it opens later", async () => {
    const stop = new AbortController();
    const cancels: unknown[] = [];
    let open: (value: { stream: ReadableStream<unknown> }) => void = () => {};
    const doStream = () => new Promise<{ stream: ReadableStream<unknown> }>((resolve) => (open = resolve));
    const asked = aiSdk({ ...double("v3"), doStream }, options).complete(asking(), { signal: stop.signal });
    stop.abort();

    await expect(asked).rejects.toMatchObject(cancelled);
    open({ stream: new ReadableStream({ cancel: (reason) => void cancels.push(reason) }) });
    await expect.poll(() => cancels.length).toBe(1);
  });

  it("ends a stream in the middle, and tells its watcher nothing more", async () => {
    const stop = new AbortController();
    const deltas: Delta[] = [];
    const words = ["One", "Two"].map((delta) => ({ type: "text-delta", id: "0", delta }));
    const provider = aiSdk(
      { ...double("v3"), doStream: async () => ({ stream: streamOf([...words, finish("v3")]) }) },
      options,
    );
    const asked = provider.complete(asking(), {
      signal: stop.signal,
      onDelta: (delta) => {
        deltas.push(delta);
        stop.abort();
      },
    });

    await expect(asked).rejects.toMatchObject(cancelled);
    expect(deltas).toHaveLength(1);
  });

  it("ends the wait for a part that does not come", async () => {
    const stop = new AbortController();
    const silent = new ReadableStream({
      start: (controller) => controller.enqueue({ type: "text-delta", id: "0", delta: "One" }),
    });
    const provider = aiSdk({ ...double("v3"), doStream: async () => ({ stream: silent }) }, options);
    const asked = provider.complete(asking(), { signal: stop.signal, onDelta: () => setImmediate(() => stop.abort()) });

    await expect(asked).rejects.toMatchObject(cancelled);
  });
});
