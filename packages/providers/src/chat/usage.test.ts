import { describe, expect, it } from "vitest";
import { isUsage, usageOf } from "./usage.js";

describe("what a vendor counted", () => {
  it.each([
    ["prompt_tokens_details", { prompt_tokens_details: { cached_tokens: 2_560 } }],
    ["prompt_token_details", { prompt_token_details: { cached_tokens: 2_560 } }],
    ["prompt_cache_hit_tokens", { prompt_cache_hit_tokens: 2_560 }],
    ["num_cached_tokens", { num_cached_tokens: 2_560 }],
  ])("has cached tokens once, as part of the prompt, from %s", (_where, cached) => {
    expect(usageOf({ prompt_tokens: 2_593, completion_tokens: 7, total_tokens: 2_600, ...cached })).toEqual({
      promptTokens: 2_593,
      completionTokens: 7,
      totalTokens: 2_600,
      cacheReadTokens: 2_560,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    });
  });

  it("adds reasoning that stands beside the completion", () => {
    const details = { completion_tokens_details: { reasoning_tokens: 290 } };

    expect(usageOf({ prompt_tokens: 12, completion_tokens: 1, total_tokens: 303, ...details })).toMatchObject({
      completionTokens: 291,
      totalTokens: 303,
      reasoningTokens: 290,
    });
  });

  it("holds reasoning to the completion that it is part of", () => {
    const details = { completion_tokens_details: { reasoning_tokens: 50 } };

    expect(usageOf({ prompt_tokens: 1, completion_tokens: 40, total_tokens: 41, ...details })).toMatchObject({
      completionTokens: 40,
      reasoningTokens: 40,
    });
  });

  it("keeps a total that disagrees, and sums where there is none", () => {
    expect(usageOf({ prompt_tokens: 1, completion_tokens: 2, total_tokens: 9 }).totalTokens).toBe(9);
    expect(usageOf({ prompt_tokens: 1, completion_tokens: 2 }).totalTokens).toBe(3);
  });

  it.each([
    [undefined],
    [null],
    [{}],
    [{ prompt_tokens: null }],
    [{ prompt_tokens: "12" }],
    [{ prompt_tokens: -1 }],
    [{ prompt_tokens: Number.NaN }],
    ["5"],
  ])("is nothing in %j", (value) => {
    expect(isUsage(value)).toBe(false);
  });

  it("is never NaN", () => {
    const counts = usageOf({ prompt_tokens: 3, completion_tokens: null, total_tokens: "x", prompt_tokens_details: 1 });

    expect(counts).toMatchObject({ promptTokens: 3, completionTokens: 0, totalTokens: 3, cacheReadTokens: 0 });
  });
});
