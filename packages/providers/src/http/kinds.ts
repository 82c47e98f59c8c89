// From statuses and words to kinds, as data. A status outranks every word, but for the few pairs named here.
import type { ProviderFailure } from "@harness/spec";

/** What there is to judge by. */
export interface Evidence {
  /** The vendor's codes and types, in lower case, the most specific first. */
  readonly words: readonly string[];
  readonly message: string;
}

const statuses: Readonly<Record<number, ProviderFailure>> = {
  401: "auth",
  402: "quota",
  403: "auth",
  408: "timeout",
  409: "server",
  413: "context-overflow",
  425: "server",
  429: "rate-limited",
  498: "rate-limited",
};

const words: Readonly<Record<string, ProviderFailure>> = {
  authentication_error: "auth",
  invalid_api_key: "auth",
  permission_denied: "auth",
  permission_error: "auth",
  unauthenticated: "auth",
  unauthorized: "auth",
  billing_error: "quota",
  billing_hard_limit_reached: "quota",
  insufficient_quota: "quota",
  context_length_exceeded: "context-overflow",
  model_context_window_exceeded: "context-overflow",
  request_too_large: "context-overflow",
  rate_limit_error: "rate-limited",
  rate_limit_exceeded: "rate-limited",
  resource_exhausted: "rate-limited",
  too_many_requests: "rate-limited",
  invalid_argument: "request",
  invalid_prompt: "request",
  invalid_request: "request",
  invalid_request_error: "request",
  model_not_found: "request",
  not_found: "request",
  not_found_error: "request",
  deadline_exceeded: "timeout",
  timeout_error: "timeout",
  tool_use_failed: "malformed",
  api_error: "server",
  internal_server_error: "server",
  overloaded_error: "server",
  server_error: "server",
  unavailable: "server",
};

// Kept short: a wording that is missing costs one failed run, a wrong one makes the loop repeat what was refused.
const overflowSignatures = [
  "context_length_exceeded",
  "maximum context length",
  "maximum prompt length is",
  "reduce the length of the messages",
  "prompt is too long",
  "input is too long",
  "exceed context limit",
  "context window",
  "available context size",
  "greater than the context length",
  "exceeded model token limit",
  "input token count",
  "too many tokens",
];

/** `asksToWait`: the answer says how long to wait, which tells a spending window from an empty account. */
export function kindOfStatus(status: number, evidence: Evidence, asksToWait: boolean): ProviderFailure {
  if (status >= 500) return "server";
  if (status === 400) return kindOfBadRequest(evidence);
  if (status === 402 && asksToWait) return "rate-limited";
  if (status === 429 && evidence.words.some((word) => words[word] === "quota")) return "quota";
  return statuses[status] ?? "request";
}

/** For a failure without a status. What no word explains is the vendor's own trouble, and worth another try. */
export function kindOfWords(evidence: Evidence): ProviderFailure {
  const known = evidence.words.find((word) => Object.hasOwn(words, word));
  const kind = known === undefined ? "server" : (words[known] ?? "server");
  return kind === "request" ? kindOfBadRequest(evidence) : kind;
}

function kindOfBadRequest({ words, message }: Evidence): ProviderFailure {
  if (words.includes("tool_use_failed")) return "malformed";
  const said = `${words.join(" ")} ${message}`.toLowerCase();
  return overflowSignatures.some((signature) => said.includes(signature)) ? "context-overflow" : "request";
}
