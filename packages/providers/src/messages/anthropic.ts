// Anthropic's Messages API, and endpoints that speak it.
import type { Provider } from "@harness/spec";
import { httpProvider } from "../http/http-provider.js";
import { type VendorOptions, vendorSettings } from "../settings.js";
import { messagesModels } from "./models.js";
import { messagesWire } from "./wire.js";

/** `baseUrl` is the prefix in front of `/v1/messages`; with `/v1` at its end it means the same. */
export type AnthropicOptions = VendorOptions;

const vendor = {
  factory: "anthropic()",
  prefix: "ANTHROPIC",
  name: "anthropic",
  baseUrl: "https://api.anthropic.com",
};

/**
 * A provider for Anthropic's Messages API. Reads `ANTHROPIC_API_KEY` and `ANTHROPIC_MODEL` where they are not given. Throws
 * `ConfigError` for a missing key or model. Nothing is dialled before the first completion.
 */
export function anthropic(options: AnthropicOptions = {}): Provider {
  const { baseUrl, effort, key, ...common } = vendorSettings(vendor, options);
  return httpProvider({
    ...common,
    baseUrl: baseUrl.replace(/\/v1\/?$/, ""),
    wire: messagesWire({ effort }),
    headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
    acceptsImages: true,
    models: messagesModels,
  });
}
