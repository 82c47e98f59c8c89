import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.js";

const nowMs = Date.UTC(2026, 0, 1, 12);

const wait = (headers: Readonly<Record<string, string>>, details: readonly unknown[] = [], status = 429) =>
  retryAfterMs({ status, headers, details, nowMs });

describe("how long to wait", () => {
  it.each([
    ["2", 2_000],
    ["0.25", 250],
    [" 1.0001 ", 1_001],
    ["0", 0],
    ["Thu, 01 Jan 2026 12:00:30 GMT", 30_000],
    ["Thursday, 01-Jan-26 12:00:30 GMT", 30_000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["soon", undefined],
    ["-3", undefined],
    ["2026", 2_026_000],
    ["Thu, 99 Foo 2026 12:00:30 GMT", undefined],
    ["1e9", undefined],
    ["9".repeat(400), undefined],
    ["", undefined],
  ])("is read from retry-after: %j", (text, expected) => {
    expect(wait({ "retry-after": text })).toBe(expected);
  });

  it("is taken from the most exact place that has one", () => {
    const details = [{ retryDelay: "34.4s" }];
    const resets = { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "5s" };

    expect(wait({ "retry-after-ms": "1500.5", "retry-after": "9", ...resets }, details)).toBe(1_501);
    expect(wait({ "retry-after-ms": "?", "retry-after": "9", ...resets }, details)).toBe(9_000);
    expect(wait({ "retry-after": "?", ...resets }, details)).toBe(34_400);
    expect(wait(resets, [null, {}, { retryDelay: "x" }])).toBe(5_000);
    expect(wait({})).toBeUndefined();
  });

  it.each([
    ["6m0s", 360_000],
    ["1.5s", 1_500],
    ["12ms", 12],
    ["1h2m3s", 3_723_000],
    ["7", 7_000],
    [String(nowMs + 4_000), 4_000],
    [String(nowMs - 4_000), 0],
    ["2026-01-01T12:00:09Z", 9_000],
    ["-1", undefined],
    ["later", undefined],
  ])("is read from the reset of a limit that is used up: %j", (reset, expected) => {
    expect(wait({ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": reset })).toBe(expected);
  });

  it("follows every vendor's names, and the longest of several resets", () => {
    expect(wait({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "3" })).toBe(3_000);
    expect(
      wait({
        ...{
          "anthropic-ratelimit-requests-remaining": "0",
          "anthropic-ratelimit-requests-reset": "2026-01-01T12:00:02Z",
        },
        ...{ "anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": "2026-01-01T12:00:08Z" },
      }),
    ).toBe(8_000);
  });

  it("passes over limits of which something remains or nothing is known, and resets of anything but a 429", () => {
    for (const remaining of ["5", "-1", ""]) {
      expect(wait({ "x-ratelimit-remaining-tokens": remaining, "x-ratelimit-reset-tokens": "6s" })).toBeUndefined();
    }
    expect(wait({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "3" }, [], 503)).toBeUndefined();
  });

  it("passes over dates when nobody says what time it is", () => {
    const headers = { "retry-after": "Thu, 01 Jan 2026 12:00:30 GMT" };

    expect(retryAfterMs({ status: 429, headers, details: [] })).toBeUndefined();
  });
});
