import { describe, expect, it } from "vitest";
import { mintedId } from "./call-ids.js";
import { stopOf } from "./finish.js";
import { parsedPayload } from "./payload.js";

describe("mintedId", () => {
  it("is nine letters and digits, another for every position", () => {
    const ids = [mintedId(0, 0), mintedId(0, 1), mintedId(1, 0), mintedId(65_535, 65_535)];

    expect(ids).toEqual(["t00000000", "t00000001", "t00010000", "tffffffff"]);
  });
});

describe("stopOf", () => {
  it.each([
    ["max_tokens", true, "length"],
    ["model_context_window_exceeded", false, "length"],
    ["refusal", true, "content-filter"],
    ["pause_turn", true, "pause"],
    ["stop", true, "tool-calls"],
    [null, true, "tool-calls"],
    ["end_turn", false, "end"],
    ["tool_use", false, "other"],
    ["constructor", false, "other"],
    [null, false, "other"],
  ] as const)("reads %s with calls %s as %s", (word, hasCalls, stop) => {
    expect(stopOf(word, hasCalls)).toBe(stop);
  });
});

describe("parsedPayload", () => {
  const usage = {
    promptTokens: 1,
    completionTokens: 0,
    totalTokens: 1,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };

  it("passes over what is no object", () => {
    expect(["", "[DONE]", "keep-alive", "[1]", "1"].map((text) => parsedPayload(text, "x", { usage: null }))).toEqual(
      Array(5).fill(undefined),
    );
  });

  it("reports an object that was cut, with what it cost", () => {
    expect(() => parsedPayload(' {"a":', "x", { usage })).toThrow(
      expect.objectContaining({ kind: "malformed", vendorCode: "bad_json", usage }),
    );
  });
});
