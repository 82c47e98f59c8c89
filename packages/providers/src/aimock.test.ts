// A server that nobody here wrote, through the port: a task of three turns, asked once directly and once through the AI SDK's own
// OpenAI-compatible provider. Both must come to the same.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { LLMock } from "@copilotkit/aimock";
import type { CallId, Completion, Message, Provider } from "@harness/spec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aiSdk } from "./ai-sdk.js";
import { compatible } from "./compatible.js";

const mock = new LLMock({ port: 0, chunkSize: 5 });
const usage = { prompt_tokens: 40, completion_tokens: 8, total_tokens: 48 };
const read = { id: "call_read", name: "read_file", arguments: '{"path":"src/sum.ts"}' };
const edits = ["a.ts", "b.ts"].map((path) => ({
  id: `call_${path}`,
  name: "edit_file",
  arguments: JSON.stringify({ path }),
}));
const tools = ["read_file", "edit_file"].map((name) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: "object", properties: { path: { type: "string" } } },
}));

beforeAll(async () => {
  const results = (count: number) => (request: { messages: readonly { role: string }[] }) =>
    request.messages.filter(({ role }) => role === "tool").length === count;
  mock.on({ predicate: results(0) }, { content: "Let me look — é.", toolCalls: [read], usage });
  mock.on({ predicate: results(1) }, { toolCalls: edits, usage });
  mock.on({ predicate: results(3) }, { content: "Done: it added where it should have subtracted.", usage });
  await mock.start();
});
afterAll(() => mock.stop());

const providers: Readonly<Record<string, () => Provider>> = {
  compatible: () => compatible({ baseUrl: `${mock.url}/v1`, model: "mock-1" }),
  "aiSdk over @ai-sdk/openai-compatible": () => {
    const options = { name: "mock", baseURL: `${mock.url}/v1`, includeUsage: true };
    return aiSdk(createOpenAICompatible(options)("mock-1"), { endpoints: [{ target: new URL(mock.url).host }] });
  },
};

describe.each(Object.entries(providers))("%s, against a mock server from npm", (_, open) => {
  it("goes through a task of three turns", async () => {
    const provider = open();
    const messages: Message[] = [{ role: "user", text: "Repair the sum." }];
    const completions: Completion[] = [];
    for (let stop = ""; stop !== "end"; ) {
      const completion = await provider.complete(
        { system: "Be brief.", messages, tools },
        { signal: AbortSignal.timeout(20_000) },
      );
      completions.push(completion);
      messages.push(...answered(completion, completions.length));
      stop = completion.stop;
    }

    expect(completions.map(({ text, calls }) => ({ text, calls: calls.map((call) => call.arguments) }))).toEqual([
      { text: "Let me look — é.", calls: [{ path: "src/sum.ts" }] },
      { text: null, calls: [{ path: "a.ts" }, { path: "b.ts" }] },
      { text: "Done: it added where it should have subtracted.", calls: [] },
    ]);
    expect(completions.map((completion) => completion.usage?.totalTokens)).toEqual([48, 48, 48]);
    expect(completions.map(({ model }) => model)).toEqual(["mock-1", "mock-1", "mock-1"]);
  });

  it("is told of a failure that the server makes up", async () => {
    mock.nextRequestError(429, { message: "Slow down.", type: "rate_limit_error" });
    const request = { system: "", messages: [{ role: "user", text: "Go on." }], tools } as const;
    const asked = open().complete(request, { signal: new AbortController().signal });

    await expect(asked).rejects.toMatchObject({ kind: "rate-limited", status: 429, isRetryable: true });
  });
});

/** The completion as a turn, and a result for each of its calls. */
function answered({ text, calls, continuation }: Completion, step: number): readonly Message[] {
  const made = calls.map((call, index) => ({ ...call, id: `${step}.${index}` as CallId }));
  const turn: Message = { role: "assistant", text, calls: made, ...(continuation && { continuation }) };
  if (made.length === 0) return [turn];
  return [turn, { role: "results", results: made.map(({ id, name }) => ({ call: id, content: `${name} went well` })) }];
}
