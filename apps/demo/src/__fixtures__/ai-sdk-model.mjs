// The AI SDK's own provider for compatible endpoints, as a provider of the harness.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { aiSdk } from "@harness/providers/ai-sdk";

const baseURL = process.env.MOCK_BASE_URL;
const model = createOpenAICompatible({ name: "mock", baseURL, includeUsage: true })("mock-1");

export const provider = aiSdk(model, { endpoints: [{ target: new URL(baseURL).host }] });
