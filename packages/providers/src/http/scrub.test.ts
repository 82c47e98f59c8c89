import { describe, expect, it } from "vitest";
import { excerpt, scrub } from "./scrub.js";

describe("scrubbing", () => {
  it.each([
    "Authorization: Bearer abc.def-123=",
    "key sk-proj-abcdefgh1234 is wrong",
    "key sk-ant-api03-AbC_dEf-ghij",
    "gsk_abcdefgh1234",
    "xai-abcdefgh1234",
    "AIzaSyA-1234567890",
  ])("takes %j out by its shape", (text) => {
    expect(scrub(text, [])).toContain("[redacted]");
    expect(scrub(text, [])).not.toMatch(/abc|AbC|SyA/);
  });

  it("takes out every secret wherever it stands, and leaves ordinary words", () => {
    expect(scrub("a long-secret, b long-secret! risk-free task-based", ["long-secret"])).toBe(
      "a [redacted], b [redacted]! risk-free task-based",
    );
  });

  it("takes out the beginning of a secret that an excerpt was cut in", () => {
    const text = excerpt(`${"x".repeat(1_990)} long-secret-thing`);

    expect(scrub(text, ["long-secret-thing"])).toBe(`${"x".repeat(1_990)} [redacted]…`);
  });

  it("leaves values alone that are too short to be a key", () => {
    expect(scrub("ollama is not running", ["ollama"])).toBe("ollama is not running");
  });
});

it("cuts an excerpt and puts it on one line", () => {
  expect(excerpt(" a\n\t b ")).toBe("a b");
  expect(excerpt("x".repeat(3_000))).toBe(`${"x".repeat(2_000)}…`);
});
