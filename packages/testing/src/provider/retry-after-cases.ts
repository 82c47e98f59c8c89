// Promises about how long a vendor asks to wait: every form that vendors use, in ms, and nothing where they said nothing.
import { expect } from "vitest";
import { failureOf } from "./observe.js";
import type { Cases, Subject } from "./subject.js";

async function waitAsked(
  { vendor, ask }: Subject,
  headers: Readonly<Record<string, string>>,
  body = "{}",
  status = 429,
): Promise<number | undefined> {
  vendor.answer({ type: "body", status, body, headers });
  return (await failureOf(ask())).retryAfterMs;
}

function httpDate(secondsFromNow: number): string {
  return new Date(Date.now() + secondsFromNow * 1_000).toUTCString();
}

export const retryAfterCases: Cases = {
  "reads seconds, whole and in part": async (subject) => {
    expect(await waitAsked(subject, { "retry-after": "7" })).toBe(7_000);
    expect(await waitAsked(subject, { "retry-after": "0" })).toBe(0);
    expect(await waitAsked(subject, { "retry-after": "1.5" })).toBe(1_500);
    expect(await waitAsked(subject, { "retry-after": "3" }, "{}", 503)).toBe(3_000);
  },

  "reads milliseconds, before seconds": async (subject) => {
    expect(await waitAsked(subject, { "retry-after-ms": "250", "retry-after": "7" })).toBe(250);
  },

  "reads a date, and waits no time for one that has passed": async (subject) => {
    const wait = await waitAsked(subject, { "retry-after": httpDate(3_600) });

    expect(wait).toBeGreaterThan(1_800_000);
    expect(wait).toBeLessThanOrEqual(3_600_000);
    expect(await waitAsked(subject, { "retry-after": httpDate(-60) })).toBe(0);
  },

  "passes over what cannot be read": async (subject) => {
    for (const value of ["soon", "", "-", "7 seconds", "NaN"]) {
      expect(await waitAsked(subject, { "retry-after": value })).toBeUndefined();
    }
  },

  "says nothing where the vendor said nothing": async (subject) => {
    expect(await waitAsked(subject, {})).toBeUndefined();
  },

  "reads a delay from the body": async (subject) => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.4s" }];
    const body = JSON.stringify({ error: { code: 429, message: "Slow down.", status: "RESOURCE_EXHAUSTED", details } });

    expect(await waitAsked(subject, {}, body)).toBe(34_400);
    expect(await waitAsked(subject, { "retry-after": "2" }, body)).toBe(2_000);
  },

  "reads when the limit that was reached is lifted, and no other": async (subject) => {
    const wait = await waitAsked(subject, subject.wire.exhausted(90));

    expect(wait).toBeGreaterThan(30_000);
    expect(wait).toBeLessThanOrEqual(90_000);
    expect(await waitAsked(subject, subject.wire.exhausted(90), "{}", 500)).toBeUndefined();
  },
};
