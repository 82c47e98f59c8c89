import { describe, expect, it } from "vitest";
import { openai, openaiResponses } from "../openai.js";
import { openRouter } from "../openrouter.js";
import { requestOf, user } from "./chat.test-support.js";
import { chatEndpoint } from "./endpoint.test-support.js";

const signal = () => AbortSignal.timeout(10_000);

describe.each([
  ["openai()", openai, "OPENAI", "openai", "api.openai.com:443"],
  ["openaiResponses()", openaiResponses, "OPENAI", "openai-responses", "api.openai.com:443"],
  ["openRouter()", openRouter, "OPENROUTER", "openrouter", "openrouter.ai:443"],
] as const)("%s", (factory, open, vendor, name, target) => {
  const environment = { [`${vendor}_API_KEY`]: "sk-sentinel-key", [`${vendor}_MODEL`]: "model-1" };

  it("takes key and model from the environment, dials one address, and shows no key", () => {
    const provider = open({ environment });

    expect(provider).toMatchObject({ name, model: "model-1", endpoints: [{ target }], acceptsImages: true });
    expect(JSON.stringify(provider)).not.toContain("sentinel");
  });

  it("prefers what it is given", () => {
    const given = { apiKey: "k", model: "model-2", name: "mine", baseUrl: "http://127.0.0.1:9/v1" };

    expect(open({ environment: {}, ...given })).toMatchObject({
      name: "mine",
      model: "model-2",
      endpoints: [{ target: "127.0.0.1:9" }],
    });
  });

  it.each([`${vendor}_API_KEY`, `${vendor}_MODEL`])("names the variable %s when it is blank", (variable) => {
    expect(() => open({ environment: { ...environment, [variable]: " " } })).toThrow(
      expect.objectContaining({
        code: "config-invalid",
        message: expect.stringMatching(
          `Could not set up ${factory.replace("()", "\\(\\)")}.*Nothing was sent.*${variable}`,
        ),
      }),
    );
  });
});

describe("openai", () => {
  it("asks with its key in one header, and for its own field of a limit", async () => {
    await using endpoint = await chatEndpoint();
    const provider = openai({ apiKey: " sk-key ", model: "model-1", baseUrl: endpoint.baseUrl, effort: "low" });

    const completion = await provider.complete(requestOf({ maxOutputTokens: 9 }), { signal: signal() });

    expect(completion).toMatchObject({ text: "Hi.", stop: "end" });
    expect(endpoint.taken).toMatchObject([
      {
        method: "POST",
        path: "/v1/chat/completions",
        headers: { authorization: "Bearer sk-key" },
        body: { model: "model-1", max_completion_tokens: 9, reasoning_effort: "low" },
      },
    ]);
  });

  it("asks for the catalogue with its key, once", async () => {
    await using endpoint = await chatEndpoint();
    const provider = openai({ apiKey: "sk-key", model: "model-1", baseUrl: endpoint.baseUrl });

    expect([await provider.models?.(), await provider.models?.()]).toEqual([[{ id: "model-1" }], [{ id: "model-1" }]]);
    expect(endpoint.taken).toMatchObject([
      { method: "GET", path: "/v1/models", headers: { authorization: "Bearer sk-key" } },
    ]);
  });
});

describe("openRouter", () => {
  it("sends its own keys behind the plain ones, and says whose application it is", async () => {
    await using endpoint = await chatEndpoint();
    const provider = openRouter({
      ...{ apiKey: "sk-key", model: "vendor/model:free", baseUrl: endpoint.baseUrl, effort: "high" },
      ...{ routing: { only: ["alpha"], zdr: true }, fallbackModels: ["b"], transforms: [] },
      ...{ appUrl: "https://app.example", appTitle: "App" },
    });

    await provider.complete(requestOf({ messages: [user("Hello.")], cacheThrough: 1 }), { signal: signal() });

    const marked = (text: string) => [{ type: "text", text, cache_control: { type: "ephemeral" } }];
    expect(endpoint.taken[0]?.headers).toMatchObject({ "http-referer": "https://app.example", "x-title": "App" });
    expect(endpoint.taken[0]?.body).toEqual({
      model: "vendor/model:free",
      messages: [
        { role: "system", content: marked("Be brief.") },
        { role: "user", content: marked("Hello.") },
      ],
      stream: true,
      reasoning: { effort: "high" },
      provider: { only: ["alpha"], zdr: true },
      models: ["b"],
      transforms: [],
    });
  });

  it("sends nothing beyond the plain keys when nothing else was asked", async () => {
    await using endpoint = await chatEndpoint();
    const provider = openRouter({ apiKey: "sk-key", model: "m", baseUrl: endpoint.baseUrl });

    await provider.complete(requestOf(), { signal: signal() });

    expect(Object.keys(endpoint.taken[0]?.body ?? {})).toEqual(["model", "messages", "stream"]);
    expect(endpoint.taken[0]?.headers).not.toHaveProperty("x-title");
  });
});
