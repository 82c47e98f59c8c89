// OpenAI's Responses API, and endpoints that speak it.
import type { Effort, Provider } from "@harness/spec";
import { chatModels } from "../chat/models.js";
import { type Deadlines, httpProvider } from "../http/http-provider.js";
import { type Environment, required } from "../http/settings.js";
import { responsesWire } from "./responses-wire.js";

export interface OpenAiResponsesOptions {
  /** Default: `OPENAI_API_KEY`. */
  readonly apiKey?: string;
  /** The model that is asked when a request names none. Default: `OPENAI_MODEL`. */
  readonly model?: string;
  /** The whole prefix in front of `/responses`. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string;
  /** The label in the trace. Default `openai-responses`. */
  readonly name?: string;
  /** For requests that name no effort of their own. With effort, reasoning is continued from turn to turn. */
  readonly effort?: Effort;
  readonly deadlines?: Deadlines;
  /** Where variables are looked up. Default: `process.env`, when this is called. */
  readonly environment?: Environment;
}

/**
 * A provider for OpenAI's Responses API. Nothing is stored at the vendor: every request holds the whole conversation. Throws
 * `ConfigError` for a missing key or model. Nothing is dialled before the first completion.
 */
export function openaiResponses(options: OpenAiResponsesOptions = {}): Provider {
  const { baseUrl = "https://api.openai.com/v1", name = "openai-responses", effort } = options;
  const { deadlines = {}, environment = process.env } = options;
  const setting = (option: "apiKey" | "model", variable: string) =>
    required({ factory: "openaiResponses()", option, given: options[option], variable, environment });
  const key = setting("apiKey", "OPENAI_API_KEY");
  const model = setting("model", "OPENAI_MODEL");
  return httpProvider({
    ...{ name, baseUrl, model, deadlines },
    wire: responsesWire({ effort }),
    headers: { authorization: `Bearer ${key}` },
    acceptsImages: true,
    models: chatModels,
  });
}
