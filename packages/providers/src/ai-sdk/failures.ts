// What an AI SDK model throws, or puts into its stream, as an error of ours. Its errors are told by their names and fields, because
// several copies of the SDK may be installed. What it keeps of the request is not passed on.
import { ConfigError, isHarnessError, type KnownError, ProviderError, type Usage } from "@harness/spec";
import { malformed, statusError, streamError } from "../http/classify.js";
import { socketError } from "../http/faults.js";
import { excerpt, scrub } from "../http/scrub.js";
import { isFields, textOf } from "../payload/fields.js";

/** The answer was not what the SDK's provider knows how to read. */
const unreadable = new Set([
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
  "AI_NoContentGeneratedError",
]);

/** The model was set up wrongly, or cannot do what it was asked. Nothing was sent. */
const misuse = new Set([
  "AI_LoadAPIKeyError",
  "AI_LoadSettingError",
  "AI_UnsupportedFunctionalityError",
  "AI_InvalidArgumentError",
  "AI_InvalidPromptError",
  "AI_NoSuchModelError",
]);

/** `usage`: what the attempt used before, as far as it is known. */
export function failureFrom(provider: string, error: unknown, usage: Usage | null = null): KnownError {
  if (isHarnessError(error)) return error;
  const name = isFields(error) ? textOf(error.name) : "";
  // What a vendor put into its stream is the vendor's own shape, not an error of the SDK.
  if (!isFields(error) || name === "") return streamError(provider, error, { usage });
  const message = excerpt(scrub(textOf(error.message), []));
  if (typeof error.statusCode === "number") return refusal(provider, error, error.statusCode);
  if (unreadable.has(name)) {
    return malformed(provider, "unreadable", `The answer of ${provider} could not be read: ${message}`, usage);
  }
  if (misuse.has(name)) {
    return new ConfigError(`Could not ask ${provider}: ${message} Correct the model or the request. Nothing was sent.`);
  }
  if (name === "TimeoutError" || name === "AbortError") {
    return new ProviderError("timeout", provider, `${provider} had not answered when it was given up on: ${message}`);
  }
  if (isOfSocket(error)) return socketError(provider, textOf(error.url) || "its address", error, false);
  return streamError(provider, { message }, { usage });
}

/** A request of the SDK's without an answer, or what `fetch` and sockets throw. */
function isOfSocket(error: Readonly<Record<string, unknown>>): boolean {
  if (textOf(error.name) === "AI_APICallError") return true;
  if (/^(fetch failed|terminated)$/.test(textOf(error.message))) return true;
  return [error, error.cause].some((thrown) => isFields(thrown) && /^(UND_ERR_|E[A-Z_]+$)/.test(textOf(thrown.code)));
}

/** A refusal, or a success whose body could not be read. */
function refusal(
  provider: string,
  { message, responseHeaders, responseBody, isRetryable }: Readonly<Record<string, unknown>>,
  status: number,
): ProviderError {
  if (status >= 200 && status < 300) {
    const words = excerpt(scrub(textOf(message), []));
    return malformed(provider, "unreadable", `The answer of ${provider} could not be read: ${words}`);
  }
  const body = textOf(responseBody) || JSON.stringify({ message });
  const headers = headersOf(responseHeaders);
  // The SDK may know better that another try is of no use; that one is of use, the status says.
  const isFinal = isRetryable === false && status >= 500;
  return statusError({
    ...{ provider, status, body, nowMs: Date.now() },
    headers: isFinal ? { ...headers, "x-should-retry": "false" } : headers,
  });
}

function headersOf(value: unknown): Readonly<Record<string, string>> {
  if (!isFields(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), String(text)]));
}
