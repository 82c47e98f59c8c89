import { ConfigError, type ProviderFailure } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { asProviderError, restated, socketError } from "./faults.js";

const withCode = (code: string, message = "it broke") => Object.assign(new Error(message), { code });

describe("an error of a socket", () => {
  it.each<[unknown, ProviderFailure]>([
    [withCode("UND_ERR_CONNECT_TIMEOUT"), "timeout"],
    [withCode("UND_ERR_HEADERS_TIMEOUT"), "timeout"],
    [withCode("UND_ERR_BODY_TIMEOUT"), "timeout"],
    [withCode("ETIMEDOUT"), "timeout"],
    ...["UND_ERR_SOCKET", "ECONNRESET", "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EPIPE", "CERT_HAS_EXPIRED"].map(
      (code): [unknown, ProviderFailure] => [withCode(code), "transport"],
    ),
    [new TypeError("terminated", { cause: withCode("UND_ERR_SOCKET") }), "transport"],
    [new TypeError("fetch failed", { cause: withCode("UND_ERR_CONNECT_TIMEOUT") }), "timeout"],
    [new AggregateError([withCode("ECONNREFUSED"), withCode("ECONNREFUSED")]), "transport"],
    [new Error("anything"), "transport"],
    ["anything", "transport"],
  ])("%s is classified, and is worth another try", (error, kind) => {
    expect(socketError("acme", "a:1", error, false)).toMatchObject({ kind, isRetryable: true, provider: "acme" });
  });

  it("gives its code and words, and nothing that hangs on it", () => {
    const error = socketError(
      "acme",
      "a:1",
      Object.assign(withCode("EPIPE", "write EPIPE"), { request: "secret" }),
      true,
    );

    expect(error.message).toBe("The answer of acme broke off (EPIPE): write EPIPE.");
    expect(Object.keys(error.cause as object)).toEqual([]);
  });
});

describe("an error on its way out", () => {
  it("is left as it is when it is ours, and is the answer's fault when it is not", () => {
    const ours = new ConfigError("No.");

    expect(asProviderError("acme", ours)).toBe(ours);
    expect(asProviderError("acme", "odd")).toMatchObject({
      kind: "malformed",
      message: expect.stringContaining(": odd."),
    });
  });

  it("loses its secrets in all of its words, and nothing else", () => {
    const secret = "a-secret-value";
    const cause = new TypeError(`bad ${secret}`);
    const error = socketError("acme", "a:1", new Error(secret), false);
    const clean = restated(restated(error, { cause }), { secrets: [secret], requestId: secret });

    expect(clean).toMatchObject({
      ...{ kind: "transport", requestId: "[redacted]", message: "Could not reach acme at a:1: [redacted]." },
      cause: { name: "TypeError", message: "bad [redacted]" },
    });
    expect(`${clean.stack}${(clean.cause as Error).stack}`).not.toContain(secret);
  });
});
