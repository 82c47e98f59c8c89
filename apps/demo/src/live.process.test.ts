// The demo against a server that nobody here wrote, which gives the demo's replies over the wire: once asked by the harness's own
// provider, and once by the AI SDK's.
import { fileURLToPath } from "node:url";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo, isBuilt, temporaryHome } from "./processes.test-support.js";
import { script } from "./script.js";

const mock = new LLMock({ port: 0 });
const usage = { prompt_tokens: 900, completion_tokens: 120, total_tokens: 1_020 };
const aiSdkModel = fileURLToPath(new URL("./__fixtures__/ai-sdk-model.mjs", import.meta.url));

beforeAll(async () => {
  for (const [turn, { text, calls = [] }] of script.entries()) {
    const toolCalls = calls.map(({ name, arguments: input }) => ({ name, arguments: JSON.stringify(input) }));
    const predicate = ({ messages }: { messages: readonly { role: string }[] }) =>
      messages.filter(({ role }) => role === "assistant").length === turn;
    mock.on({ predicate }, { content: text ?? "", toolCalls, usage });
  }
  await mock.start();
});
afterAll(() => mock.stop());

const ways = [
  ["its own provider", [], () => ({ HARNESS_BASE_URL: `${mock.url}/v1`, HARNESS_MODEL: "mock-1" }), "compatible"],
  ["the AI SDK's provider", ["--provider", aiSdkModel], () => ({ MOCK_BASE_URL: `${mock.url}/v1` }), "mock.chat"],
] as const;

describe.skipIf(!isBuilt)("the demo, by a mock server from npm [skipped where nothing is built]", () => {
  it.each(ways)(
    "is driven to success through %s",
    async (_, args, env, provider) => {
      using home = temporaryHome();

      const { code, output } = await home.start([demo, ...args], env()).ended;
      const events = await home.events();

      expect(code, output).toBe(0);
      expect(events.find(({ type }) => type === "run.started")).toMatchObject({ provider });
      const completions = events.filter((event) => event.type === "completion.finished");
      expect(completions.map(({ model, usage: counted }) => [model, counted?.totalTokens])).toEqual(
        script.map(() => ["mock-1", 1_020]),
      );
      expect(events.at(-1)).toMatchObject({ type: "run.finished", ending: { type: "success" }, steps: script.length });
    },
    60_000,
  );
});
