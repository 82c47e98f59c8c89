import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { anthropic } from "../anthropic.js";
import { request } from "./messages.test-support.js";
import { messagesModels } from "./models.js";

const environment = { ANTHROPIC_API_KEY: "sk-ant-sentinel", ANTHROPIC_MODEL: "claude-sonnet-4-5" };

describe("anthropic", () => {
  it("takes its key and its model from the environment, and dials one address", () => {
    const provider = anthropic({ environment });
    const { name, model, endpoints, acceptsImages } = provider;

    expect({ name, model, endpoints, acceptsImages }).toEqual({
      name: "anthropic",
      model: "claude-sonnet-4-5",
      endpoints: [{ target: "api.anthropic.com:443" }],
      acceptsImages: true,
    });
    expect(JSON.stringify(provider)).not.toContain("sentinel");
  });

  it.each([
    ["ANTHROPIC_API_KEY", { ...environment, ANTHROPIC_API_KEY: " " }],
    ["ANTHROPIC_MODEL", { ANTHROPIC_API_KEY: "k" }],
  ])("names %s when it is missing", (variable, incomplete) => {
    expect(() => anthropic({ environment: incomplete })).toThrow(
      expect.objectContaining({ code: "config-invalid", message: expect.stringContaining(`Set ${variable}`) }),
    );
  });
});

describe("anthropic at an endpoint", () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** Answers everything with one whole body, and keeps what was asked. */
  async function endpoint() {
    const asked: { readonly head: IncomingMessage; readonly body: string }[] = [];
    const server = createServer(async (head, response) => {
      asked.push({ head, body: (await head.toArray()).join("") });
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ content: [{ type: "text", text: "Hi." }], stop_reason: "end_turn" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(
      () => server.close(),
      () => server.closeAllConnections(),
    );
    return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it.each(["", "/", "/v1", "/v1/"])("asks at /v1/messages behind a base that ends in %j", async (end) => {
    const { asked, address } = await endpoint();
    const provider = anthropic({ environment, baseUrl: `${address}${end}`, effort: "low" });

    const { text } = await provider.complete(request(), { signal: AbortSignal.timeout(10_000) });

    expect(text).toBe("Hi.");
    expect(asked.map(({ head }) => [head.method, head.url])).toEqual([["POST", "/v1/messages"]]);
    expect(asked[0]?.head.headers).toMatchObject({ "x-api-key": "sk-ant-sentinel", "anthropic-version": "2023-06-01" });
    expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({ stream: true, thinking: { budget_tokens: 1024 } });
  });

  it("sends nothing of a transcript that lacks a result", async () => {
    const { asked, address } = await endpoint();
    const calls = [{ id: "1.1" as never, name: "read_file", arguments: {} }];
    const broken = request({ messages: [{ role: "assistant", text: null, calls }] });

    await expect(
      anthropic({ environment, baseUrl: address }).complete(broken, { signal: AbortSignal.timeout(10_000) }),
    ).rejects.toMatchObject({ code: "config-invalid" });
    expect(asked).toEqual([]);
  });
});

describe("the catalogue", () => {
  const pages: Readonly<Record<string, unknown>> = {
    "/v1/models?limit=1000": { data: [{ id: "a", max_input_tokens: 9 }, { id: "" }], has_more: true, last_id: "a/1" },
    "/v1/models?limit=1000&after_id=a%2F1": { data: [{ id: "b", max_tokens: 3 }], has_more: false, last_id: "b" },
  };

  it("is read to its last page", async () => {
    await expect(messagesModels(async (path) => pages[path])).resolves.toEqual([
      { id: "a", contextTokens: 9 },
      { id: "b", maxOutputTokens: 3 },
    ]);
  });

  it.each([
    ["that repeats a page", { data: [{ id: "a" }], has_more: true, last_id: "a" }, ["a", "a"]],
    ["that is no list", "nothing here", []],
  ])("ends at an endpoint %s", async (_, page, ids) => {
    expect((await messagesModels(async () => page)).map(({ id }) => id)).toEqual(ids);
  });
});
