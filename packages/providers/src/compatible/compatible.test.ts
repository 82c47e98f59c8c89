import { describe, expect, it } from "vitest";
import { requestOf } from "../chat/chat.test-support.js";
import { chatEndpoint } from "../chat/endpoint.test-support.js";
import { type CompatibleOptions, compatible, isPresetName, presets } from "../compatible.js";

const names = Object.keys(presets).filter(isPresetName);
const model = "model-1";

/** The credential headers that a request is sent with. */
async function credentialOf(options: Omit<CompatibleOptions, "baseUrl" | "model">) {
  await using endpoint = await chatEndpoint();
  const provider = compatible({ ...options, model, baseUrl: endpoint.baseUrl });
  await provider.complete(requestOf(), { signal: AbortSignal.timeout(10_000) });
  const { authorization, "api-key": apiKey } = endpoint.taken[0]?.headers ?? {};
  return { authorization, apiKey };
}

describe("presets", () => {
  it("are 13 hosted endpoints with a variable for the key, and 8 local ones without", () => {
    const rows = names.map((name) => presets[name]);

    expect(
      rows.filter((row) => row.auth === "bearer" && "keyVariable" in row && row.baseUrl.startsWith("https:")),
    ).toHaveLength(13);
    expect(rows.filter((row) => row.auth === "none" && row.baseUrl.startsWith("http://localhost:"))).toHaveLength(8);
    expect(rows).toHaveLength(21);
  });

  it.each(names)("make a provider of %s that dials its base and no other", (preset) => {
    const provider = compatible({ preset, model, apiKey: "key" });
    const { host, port, protocol } = new URL(presets[preset].baseUrl);

    expect(provider).toMatchObject({ name: preset, model });
    expect(provider.endpoints).toEqual([{ target: port === "" && protocol === "https:" ? `${host}:443` : host }]);
  });

  it("have a catalogue and read images, where the vendor does", () => {
    const perplexity = compatible({ preset: "perplexity", model, apiKey: "key" });
    const deepseek = compatible({ preset: "deepseek", model, apiKey: "key" });

    expect([perplexity.models, perplexity.acceptsImages]).toEqual([undefined, true]);
    expect([typeof deepseek.models, deepseek.acceptsImages]).toEqual(["function", false]);
  });

  it("give way to what is given", () => {
    const quirks = { modelsEndpoint: true, images: false };
    const options = {
      preset: "perplexity",
      model,
      apiKey: "key",
      name: "mine",
      baseUrl: "https://proxy.example/v1",
    } as const;
    const provider = compatible({ ...options, quirks });

    expect(provider).toMatchObject({
      name: "mine",
      endpoints: [{ target: "proxy.example:443" }],
      acceptsImages: false,
    });
    expect(provider.models).toBeDefined();
  });
});

describe("the key of a compatible endpoint", () => {
  it.each<[string, Omit<CompatibleOptions, "baseUrl" | "model">, object]>([
    ["as a bearer to a hosted vendor", { preset: "groq", apiKey: "key" }, { authorization: "Bearer key" }],
    ["as a bearer to a local server that has one", { preset: "vllm", apiKey: "key" }, { authorization: "Bearer key" }],
    ["as a bearer to an unknown endpoint", { apiKey: "key" }, { authorization: "Bearer key" }],
    ["in a header of its own", { apiKey: "key", auth: "api-key" }, { apiKey: "key" }],
    ["not at all to a local server", { preset: "ollama" }, {}],
    ["not at all to an unknown endpoint", {}, {}],
    ["not at all where that is asked", { preset: "groq", auth: "none" }, {}],
    [
      "from the variable of the preset, where that is asked",
      { preset: "groq", fromEnv: true, environment: { GROQ_API_KEY: "key" } },
      { authorization: "Bearer key" },
    ],
  ])("travels %s", async (_how, options, headers) => {
    expect(await credentialOf(options)).toEqual({ authorization: undefined, apiKey: undefined, ...headers });
  });
});

describe("compatible", () => {
  it.each<[string, CompatibleOptions, string[]]>([
    ["an unknown preset", { preset: "grok" as never, model }, ['no preset "grok"', ...names]],
    ["a preset named like a property of every object", { preset: "toString" as never, model }, ["no preset"]],
    ["no address", { model }, ["no address", "baseUrl"]],
    ["no model", { preset: "ollama", model: "" }, ["no model", "Pass model"]],
    [
      "no key, and a variable that was not to be read",
      { preset: "groq", model, environment: { GROQ_API_KEY: "key" } },
      ["no key", "fromEnv", "GROQ_API_KEY"],
    ],
    [
      "no key in the variable",
      { preset: "groq", model, fromEnv: true, environment: {} },
      ["no key", "Set GROQ_API_KEY"],
    ],
    ["no key for a header", { baseUrl: "https://a.example", auth: "api-key", model }, ["no key", "Pass apiKey"]],
  ])("refuses %s, with nothing sent", (_what, options, words) => {
    const message = words.reduce((pattern, word) => `${pattern}(?=.*${word.replace(/[()]/g, "\\$&")})`, "");

    expect(() => compatible(options)).toThrow(
      expect.objectContaining({
        code: "config-invalid",
        message: expect.stringMatching(new RegExp(`${message}.*Nothing was sent`)),
      }),
    );
  });
});
