// What went wrong, as the one word that the loop acts on. Statuses and codes decide; of the wording, only a short list of signatures
// of a context overflow counts, because a wrong match would make the loop repeat a request that was refused for good.
import { ProviderError, type ProviderFailure, type Usage } from "@harness/spec";
import { type ErrorBody, readErrorBody, readErrorValue } from "./error-body.js";
import { kindOfStatus, kindOfWords } from "./kinds.js";
import { present } from "./present.js";
import { retryAfterMs } from "./retry-after.js";

/** An answer that is not a success. */
export interface FailedAnswer {
  readonly provider: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Epoch ms, which a date in `retry-after` counts from. Absent: such a date is passed over. */
  readonly nowMs?: number;
}

/** The error for an answer whose status is not a success. */
export function statusError(answer: FailedAnswer): ProviderError {
  const { provider, status, headers, body: text, nowMs } = answer;
  const body = readErrorBody(text);
  const wait = retryAfterMs({ status, headers, details: body.details, nowMs });
  const kind = kindOfStatus(status, body, wait !== undefined);
  const requestId = requestIdOf(headers) ?? body.requestId;
  return new ProviderError(kind, provider, statusMessage(provider, status, headers, body, kind), {
    status,
    ...present({ vendorCode: body.code, retryAfterMs: wait, requestId }),
    // Only "false" is obeyed: no header makes a key valid or a bad request good.
    ...(headers["x-should-retry"]?.trim().toLowerCase() === "false" ? { isRetryable: false } : {}),
  });
}

/**
 * The error for a failure that a vendor reports inside an answer that began as a success. `error` is the value of the payload's
 * `error`, or the payload that holds it.
 */
export function streamError(
  provider: string,
  error: unknown,
  { usage }: { readonly usage?: Usage | null } = {},
): ProviderError {
  const body = readErrorValue(error);
  const kind = body.status === undefined ? kindOfWords(body) : kindOfStatus(body.status, body, false);
  const wait = retryAfterMs({ status: 200, headers: {}, details: body.details });
  const message = `${provider} failed while it answered${inBrackets(body.code)}: ${sentence(body.message)}${adviceFor(kind)}`;
  return new ProviderError(kind, provider, message, {
    ...present({ vendorCode: body.code, retryAfterMs: wait, requestId: body.requestId, usage: usage ?? undefined }),
  });
}

/** The error for an answer that cannot be used as it came. `code` says in one word what is wrong with it: `truncated`. */
export function malformed(provider: string, code: string, message: string, usage?: Usage | null): ProviderError {
  return new ProviderError("malformed", provider, message, {
    vendorCode: code,
    ...present({ usage: usage ?? undefined }),
  });
}

// The first is Anthropic's. OpenRouter's own comes before the one that any proxy in between may add.
const requestIdHeaders = ["request-id", "x-generation-id", "x-request-id"];

/** The vendor's name for this exchange, which its support asks for. Names of `headers` are in lower case. */
export function requestIdOf(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  for (const name of requestIdHeaders) {
    const value = headers[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

function statusMessage(
  provider: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: ErrorBody,
  kind: ProviderFailure,
): string {
  const code = body.code === String(status) ? undefined : body.code;
  const what = `${provider} answered ${status}${inBrackets(code)}`;
  if (status < 300 || status >= 400) return `${what}: ${sentence(body.message)}${adviceFor(kind)}`;
  return `${what}, a redirect${targetOf(headers.location)} that is not followed: ${sentence(body.message)} Correct the base URL.`;
}

function targetOf(location: string | undefined): string {
  if (location === undefined || !URL.canParse(location)) return "";
  const { origin, pathname } = new URL(location);
  return ` to ${origin}${pathname}`;
}

const advice: Partial<Record<ProviderFailure, string>> = {
  auth: "Check the API key, and what it is allowed to use.",
  quota: "Add credit to the account, or use another key or provider.",
  "context-overflow": "Send less, or use a model with a larger context window.",
  request: "The same request will be refused again: correct the model, the options or the base URL.",
};

/** What to do, for what the loop cannot put right by asking again. */
function adviceFor(kind: ProviderFailure): string {
  return advice[kind] === undefined ? "" : ` ${advice[kind]}`;
}

function inBrackets(code: string | undefined): string {
  return code === undefined ? "" : ` (${code})`;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
