// OpenRouter: the Chat API in front of many vendors, with marks for their caches and their reasoning to be sent back.
import type { JsonObject, Provider } from "@harness/spec";
import { type VendorOptions, vendorSettings } from "../settings.js";
import { chatProvider } from "./chat-provider.js";
import type { Quirks } from "./quirks.js";

/** `baseUrl` is the whole prefix in front of `/chat/completions`; a `:suffix` is part of a model's id. */
export interface OpenRouterOptions extends VendorOptions {
  /** Which vendors may answer, in OpenRouter's own keys: `order`, `only`, `zdr`, … Sent as `provider`. */
  readonly routing?: JsonObject;
  /** Models that OpenRouter asks when the first cannot answer. Sent as `models`. */
  readonly fallbackModels?: readonly string[];
  /** Sent as they are. */
  readonly transforms?: readonly string[];
  /** Your application's address and name, for OpenRouter's rankings. */
  readonly appUrl?: string;
  readonly appTitle?: string;
}

const vendor = {
  factory: "openRouter()",
  prefix: "OPENROUTER",
  name: "openrouter",
  baseUrl: "https://openrouter.ai/api/v1",
};

const quirks: Quirks = {
  // It counts unasked.
  streamUsage: false,
  reasoningReplay: "details",
  effort: "reasoning",
  outputSchema: "strict",
  cacheMarks: true,
};

/**
 * A provider for OpenRouter. Reads `OPENROUTER_API_KEY` and `OPENROUTER_MODEL` where they are not given. Throws `ConfigError` for a
 * missing key or model. Nothing is dialled before the first completion.
 */
export function openRouter(options: OpenRouterOptions = {}): Provider {
  const { key, ...common } = vendorSettings(vendor, options);
  return chatProvider({
    ...common,
    ...{ quirks, extra: extraKeys(options) },
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
