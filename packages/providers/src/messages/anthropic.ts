// Anthropic's Messages API, and endpoints that speak it.
import type { Effort, Provider } from "@harness/spec";
import { type Deadlines, httpProvider } from "../http/http-provider.js";
import { type Environment, required } from "../http/settings.js";
import { messagesModels } from "./models.js";
import { messagesWire } from "./wire.js";

export interface AnthropicOptions {
  /** Default: `ANTHROPIC_API_KEY`. */
  readonly apiKey?: string;
  /** The model that is asked when a request names none. Default: `ANTHROPIC_MODEL`. */
  readonly model?: string;
  /** The prefix in front of `/v1/messages`; with `/v1` at its end it means the same. Default `https://api.anthropic.com`. */
  readonly baseUrl?: string;
  /** The label in the trace. Default `anthropic`. */
  readonly name?: string;
  /** For requests that name no effort of their own. With effort, thinking is continued from turn to turn. */
  readonly effort?: Effort;
  readonly deadlines?: Deadlines;
  /** Where variables are looked up. Default: `process.env`, when this is called. */
  readonly environment?: Environment;
}

/**
 * A provider for Anthropic's Messages API. Throws `ConfigError` for a missing key or model. Nothing is dialled before the first
 * completion.
 */
export function anthropic(options: AnthropicOptions = {}): Provider {
  const { baseUrl = "https://api.anthropic.com", name = "anthropic", effort } = options;
  const { deadlines = {}, environment = process.env } = options;
  const setting = (option: "apiKey" | "model", variable: string) =>
    required({ factory: "anthropic()", option, given: options[option], variable, environment });
  const key = setting("apiKey", "ANTHROPIC_API_KEY");
  const model = setting("model", "ANTHROPIC_MODEL");
  return httpProvider({
    ...{ name, model, deadlines },
    baseUrl: baseUrl.replace(/\/v1\/?$/, ""),
    wire: messagesWire({ effort }),
    headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
    acceptsImages: true,
    models: messagesModels,
  });
}
