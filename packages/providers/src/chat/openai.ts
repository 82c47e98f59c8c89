// OpenAI's own Chat Completions API.
import type { Effort, Provider } from "@harness/spec";
import type { Deadlines } from "../http/http-provider.js";
import { type Environment, required } from "../http/settings.js";
import { chatProvider } from "./chat-provider.js";
import type { Quirks } from "./quirks.js";

export interface OpenAiOptions {
  /** Default: `OPENAI_API_KEY`. */
  readonly apiKey?: string;
  /** The model that is asked when a request names none. Default: `OPENAI_MODEL`. */
  readonly model?: string;
  /** The whole prefix in front of `/chat/completions`. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string;
  /** The label in the trace. Default `openai`. */
  readonly name?: string;
  /** For requests that name no effort of their own. */
  readonly effort?: Effort;
  readonly deadlines?: Deadlines;
  /** Where variables are looked up. Default: `process.env`, when this is called. */
  readonly environment?: Environment;
}

const quirks: Quirks = { maxTokensField: "max_completion_tokens", outputSchema: "strict" };

/**
 * A provider for OpenAI's Chat Completions API. Throws `ConfigError` for a missing key or model. Nothing is dialled before the
 * first completion.
 */
export function openai(options: OpenAiOptions = {}): Provider {
  const { baseUrl = "https://api.openai.com/v1", name = "openai", effort } = options;
  const { deadlines = {}, environment = process.env } = options;
  const setting = (option: "apiKey" | "model", variable: string) =>
    required({ factory: "openai()", option, given: options[option], variable, environment });
  const key = setting("apiKey", "OPENAI_API_KEY");
  const model = setting("model", "OPENAI_MODEL");
  return chatProvider({
    ...{ name, baseUrl, model, quirks, effort, deadlines },
    headers: { authorization: `Bearer ${key}` },
  });
}
