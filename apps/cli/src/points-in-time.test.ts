import { describe, expect, it } from "vitest";
import { pointInTime } from "./points-in-time.js";

const now = Date.UTC(2026, 0, 31, 12);

describe("a point in time", () => {
  it.each([
    ["90m", now - 90 * 60_000],
    ["12h", now - 12 * 3_600_000],
    ["30d", now - 30 * 86_400_000],
    ["4w", now - 28 * 86_400_000],
    ["2026-01-31", new Date(2026, 0, 31).getTime()],
    ["2026-01-31T12:00Z", now],
  ])("is %s", (text, at) => {
    expect(pointInTime(text, now)).toBe(at);
  });

  it.each(["", "0d", "-3d", "3", "3 d", "2026-02-30", "2026-1-1", "2026-01-31Tx", "soon"])("is not %j", (text) => {
    expect(() => pointInTime(text, now)).toThrow("It must be a date as 2026-01-31");
  });
});
