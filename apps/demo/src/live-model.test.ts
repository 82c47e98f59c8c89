import { describe, expect, it } from "vitest";
import { liveModel } from "./live-model.js";

describe("the model that the demo asks", () => {
  it.each([
    [{}, undefined],
    [{ ANTHROPIC_API_KEY: "k" }, ["anthropic", "claude-sonnet-4-5", "ANTHROPIC_API_KEY is set"]],
    [{ OPENAI_API_KEY: "k", OPENAI_MODEL: "m" }, ["openai", "m", "OPENAI_API_KEY is set"]],
    [{ OPENROUTER_API_KEY: "k" }, ["openrouter", "openrouter/auto", "OPENROUTER_API_KEY is set"]],
    [
      { ANTHROPIC_API_KEY: "k", HARNESS_BASE_URL: "http://localhost:8000/v1", HARNESS_MODEL: "m" },
      ["compatible", "m", "HARNESS_BASE_URL and HARNESS_MODEL are set"],
    ],
    [{ HARNESS_BASE_URL: "http://localhost:8000/v1" }, undefined],
    [{ ANTHROPIC_API_KEY: "" }, undefined],
  ])("with %j set is %j", (env, expected) => {
    const found = liveModel(env);

    expect(found && [found.provider, found.model, found.because]).toEqual(expected);
  });
});
