// Promises about requests that a vendor refuses: what each status means, whatever stands in the body.
import type { ProviderError, ProviderFailure } from "@harness/spec";
import { expect } from "vitest";
import { failureOf } from "./observe.js";
import type { Cases, Subject } from "./subject.js";

const byStatus: Readonly<Record<ProviderFailure, readonly number[]>> = {
  transport: [],
  malformed: [],
  cancelled: [],
  request: [400, 404, 405, 410, 422],
  auth: [401, 403],
  quota: [402],
  timeout: [408],
  "context-overflow": [413],
  "rate-limited": [429, 498],
  server: [409, 425, 500, 501, 502, 503, 504, 520, 522, 524, 529],
};
const worthAnotherTry: ReadonlySet<ProviderFailure> = new Set(["timeout", "rate-limited", "server", "malformed"]);

const overflows = [
  "This model's maximum context length is 8192 tokens.",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "Please reduce the length of the messages or completion.",
  "input is too long for the requested model",
  "the request exceeds the available context size",
];

interface Refusal {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function refused({ vendor, ask }: Subject, status: number, refusal: Refusal = {}): Promise<ProviderError> {
  vendor.answer({ type: "body", status, body: "{}", ...refusal });
  return failureOf(ask());
}

const statuses: Cases = Object.fromEntries(
  Object.entries(byStatus)
    .filter(([, list]) => list.length > 0)
    .map(([kind, list]) => [
      `calls status ${list.join(", ")} ${kind}`,
      async (subject: Subject) => {
        const body = subject.wire.failureBody({ code: "some_code", message: "The vendor says no." });
        for (const status of list) {
          expect(await refused(subject, status, { body })).toMatchObject({
            kind,
            status,
            vendorCode: "some_code",
            isRetryable: worthAnotherTry.has(kind as ProviderFailure),
            provider: subject.provider.name,
            message: expect.stringContaining("The vendor says no."),
          });
        }
      },
    ]),
);

export const statusCases: Cases = {
  ...statuses,

  "asks once, whatever the answer": async (subject) => {
    await refused(subject, 503);

    expect(subject.vendor.taken).toHaveLength(1);
  },

  "does not follow a redirect": async (subject) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${subject.vendor.origin}/elsewhere`;
      expect(await refused(subject, status, { headers: { location } })).toMatchObject({ kind: "request", status });
    }

    expect(subject.vendor.taken.filter(({ path }) => path === "/elsewhere")).toEqual([]);
  },

  "tells an empty account from too many requests": async (subject) => {
    const { wire } = subject;
    const body = wire.failureBody({ code: wire.codes.quota, message: "You exceeded your current quota." });
    const wordsOnly = wire.failureBody({ code: "RESOURCE_EXHAUSTED", message: "You exceeded your current quota." });

    expect(await refused(subject, 429, { body })).toMatchObject({ kind: "quota", isRetryable: false });
    expect(await refused(subject, 429, { body: wordsOnly })).toMatchObject({ kind: "rate-limited" });
    expect(await refused(subject, 402, { headers: { "retry-after": "9" } })).toMatchObject({ kind: "rate-limited" });
  },

  "tells a request that is too long from one that is wrong": async (subject) => {
    for (const message of overflows) {
      const body = subject.wire.failureBody({ code: "invalid_request_error", message });
      expect(await refused(subject, 400, { body })).toMatchObject({ kind: "context-overflow", isRetryable: false });
      expect(await refused(subject, 429, { body })).toMatchObject({ kind: "rate-limited" });
      expect(await refused(subject, 500, { body })).toMatchObject({ kind: "server" });
    }
    expect(await refused(subject, 400, { body: "" })).toMatchObject({ kind: "request" });
  },

  "takes a call that the vendor could not read for the model's mistake": async (subject) => {
    const body = JSON.stringify({ error: { message: "Failed to call a function.", code: "tool_use_failed" } });

    expect(await refused(subject, 400, { body })).toMatchObject({ kind: "malformed", isRetryable: true });
  },

  "reads the vendor's words in whatever shape they come": async (subject) => {
    const shapes = [
      { error: { message: "no such thing" } },
      { error: "no such thing" },
      { message: "no such thing" },
      { detail: "no such thing" },
      [{ error: { message: "no such thing" } }],
    ];
    for (const shape of shapes) {
      const { kind, message } = await refused(subject, 404, { body: JSON.stringify(shape) });
      expect({ kind, message }).toEqual({ kind: "request", message: expect.stringContaining("no such thing") });
    }
  },

  "survives a body that says nothing": async (subject) => {
    for (const body of ["", "null", "[]", "{", '"', "7", '{"error":null}', '{"error":{"code":{},"message":[]}}']) {
      expect(await refused(subject, 500, { body })).toMatchObject({ kind: "server", status: 500 });
    }
  },

  "shows no markup, and no more than a page, of what a proxy says": async (subject) => {
    const page = `<!DOCTYPE html><html><head><style>b{}</style></head><body>${"<b>bad</b> ".repeat(90_000)}</body></html>`;
    const endless = subject.wire.failureBody({ code: "some_code", message: "no ".repeat(300_000) });
    const error = await refused(subject, 502, { body: page, headers: { "content-type": "text/html" } });

    expect(error).toMatchObject({ kind: "server", status: 502 });
    expect(error.message).not.toMatch(/<\/?(html|body|b|style)\b/i);
    expect(error.message.length).toBeLessThan(3_000);
    expect((await refused(subject, 503, { body: endless })).message.length).toBeLessThan(3_000);
  },

  "takes a vendor at its word that another try is of no use": async (subject) => {
    const headers = (value: string) => ({ headers: { "x-should-retry": value } });

    expect(await refused(subject, 503, headers("false"))).toMatchObject({ kind: "server", isRetryable: false });
    expect(await refused(subject, 401, headers("true"))).toMatchObject({ kind: "auth", isRetryable: false });
    expect(await refused(subject, 400, headers("true"))).toMatchObject({ kind: "request", isRetryable: false });
  },
};
