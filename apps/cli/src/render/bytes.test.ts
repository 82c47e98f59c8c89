import { describe, expect, it } from "vitest";
import { bytesText } from "./bytes.js";

describe("a size", () => {
  it.each([
    [0, "0 B"],
    [1_023, "1023 B"],
    [1_024, "1.0 KB"],
    [12 * 1_024, "12 KB"],
    [1_300_000, "1.2 MB"],
    [2 ** 40 * 5_000, "5000 TB"],
  ])("of %i bytes is %s", (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});
