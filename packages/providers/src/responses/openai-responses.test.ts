import { describe, expect, it } from "vitest";
import { openaiResponses } from "./openai-responses.js";

describe("openaiResponses", () => {
  it("takes its key and its model from the environment, and dials one address", () => {
    const provider = openaiResponses({ environment: { OPENAI_API_KEY: "sk-sentinel-key", OPENAI_MODEL: "gpt-5.1" } });
    const { name, model, endpoints, acceptsImages } = provider;
    expect({ name, model, endpoints, acceptsImages }).toEqual({
      name: "openai-responses",
      model: "gpt-5.1",
      endpoints: [{ target: "api.openai.com:443" }],
      acceptsImages: true,
    });
    expect(JSON.stringify(provider)).not.toContain("sentinel");
  });

  it.each([
    ["OPENAI_API_KEY", { OPENAI_MODEL: "m" }],
    ["OPENAI_MODEL", { OPENAI_API_KEY: "k" }],
  ])("names %s when it is missing", (variable, environment) => {
    expect(() => openaiResponses({ environment })).toThrow(
      expect.objectContaining({ code: "config-invalid", message: expect.stringContaining(`Set ${variable}`) }),
    );
  });
});
