// OpenRouter: the Chat API in front of many vendors, with marks for their caches and their reasoning to be sent back.
import type { Effort, JsonObject, Provider } from "@harness/spec";
import type { Deadlines } from "../http/http-provider.js";
import { type Environment, required } from "../http/settings.js";
import { chatProvider } from "./chat-provider.js";
import type { Quirks } from "./quirks.js";

export interface OpenRouterOptions {
  /** Default: `OPENROUTER_API_KEY`. */
  readonly apiKey?: string;
  /** The model that is asked when a request names none; a `:suffix` is part of it. Default: `OPENROUTER_MODEL`. */
  readonly model?: string;
  /** Default `https://openrouter.ai/api/v1`. */
  readonly baseUrl?: string;
  /** The label in the trace. Default `openrouter`. */
  readonly name?: string;
  /** Which vendors may answer, in OpenRouter's own keys: `order`, `only`, `zdr`, … Sent as `provider`. */
  readonly routing?: JsonObject;
  /** Models that OpenRouter asks when the first cannot answer. Sent as `models`. */
  readonly fallbackModels?: readonly string[];
  /** Sent as they are. */
  readonly transforms?: readonly string[];
  /** Your application's address and name, for OpenRouter's rankings. */
  readonly appUrl?: string;
  readonly appTitle?: string;
  /** For requests that name no effort of their own. */
  readonly effort?: Effort;
  readonly deadlines?: Deadlines;
  /** Where variables are looked up. Default: `process.env`, when this is called. */
  readonly environment?: Environment;
}

const quirks: Quirks = {
  // It counts unasked.
  streamUsage: false,
  reasoningReplay: "details",
  effort: "reasoning",
  outputSchema: "strict",
  cacheMarks: true,
};

/** A provider for OpenRouter. Throws `ConfigError` for a missing key or model. Nothing is dialled before the first completion. */
export function openRouter(options: OpenRouterOptions = {}): Provider {
  const { baseUrl = "https://openrouter.ai/api/v1", name = "openrouter", effort } = options;
  const { deadlines = {}, environment = process.env } = options;
  const setting = (option: "apiKey" | "model", variable: string) =>
    required({ factory: "openRouter()", option, given: options[option], variable, environment });
  const key = setting("apiKey", "OPENROUTER_API_KEY");
  const model = setting("model", "OPENROUTER_MODEL");
  return chatProvider({
    ...{ name, baseUrl, model, quirks, effort, deadlines, extra: extraKeys(options) },
    headers: { authorization: `Bearer ${key}`, ...applicationHeaders(options) },
  });
}

function extraKeys({ routing, fallbackModels, transforms }: OpenRouterOptions): JsonObject {
  return {
    ...(routing ? { provider: routing } : {}),
    ...(fallbackModels ? { models: fallbackModels } : {}),
    ...(transforms ? { transforms } : {}),
  };
}

function applicationHeaders({ appUrl, appTitle }: OpenRouterOptions): Readonly<Record<string, string>> {
  return {
    ...(appUrl === undefined ? {} : { "http-referer": appUrl }),
    ...(appTitle === undefined ? {} : { "x-title": appTitle }),
  };
}
