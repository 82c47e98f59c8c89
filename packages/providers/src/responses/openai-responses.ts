// OpenAI's Responses API, and endpoints that speak it.
import type { Provider } from "@harness/spec";
import { chatModels } from "../chat/models.js";
import { httpProvider } from "../http/http-provider.js";
import { type VendorOptions, vendorSettings } from "../settings.js";
import { responsesWire } from "./responses-wire.js";

/** `baseUrl` is the whole prefix in front of `/responses`. */
export type OpenAiResponsesOptions = VendorOptions;

const vendor = {
  factory: "openaiResponses()",
  prefix: "OPENAI",
  name: "openai-responses",
  baseUrl: "https://api.openai.com/v1",
};

/**
 * A provider for OpenAI's Responses API. Nothing is stored at the vendor: every request holds the whole conversation. Reads
 * `OPENAI_API_KEY` and `OPENAI_MODEL` where they are not given. Throws `ConfigError` for a missing key or model. Nothing is
 * dialled before the first completion.
 */
export function openaiResponses(options: OpenAiResponsesOptions = {}): Provider {
  const { effort, key, ...common } = vendorSettings(vendor, options);
  return httpProvider({
    ...common,
    wire: responsesWire({ effort }),
    headers: { authorization: `Bearer ${key}` },
    acceptsImages: true,
    models: chatModels,
  });
}
