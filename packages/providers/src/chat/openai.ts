// OpenAI's own Chat Completions API.
import type { Provider } from "@harness/spec";
import { type VendorOptions, vendorSettings } from "../settings.js";
import { chatProvider } from "./chat-provider.js";
import type { Quirks } from "./quirks.js";

/** `baseUrl` is the whole prefix in front of `/chat/completions`. */
export type OpenAiOptions = VendorOptions;

const vendor = { factory: "openai()", prefix: "OPENAI", name: "openai", baseUrl: "https://api.openai.com/v1" };

const quirks: Quirks = { maxTokensField: "max_completion_tokens", outputSchema: "strict" };

/**
 * A provider for OpenAI's Chat Completions API. Reads `OPENAI_API_KEY` and `OPENAI_MODEL` where they are not given. Throws
 * `ConfigError` for a missing key or model. Nothing is dialled before the first completion.
 */
export function openai(options: OpenAiOptions = {}): Provider {
  const { key, ...common } = vendorSettings(vendor, options);
  return chatProvider({ ...common, quirks, headers: { authorization: `Bearer ${key}` } });
}
