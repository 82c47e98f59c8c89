// What stops an attempt before or beside the vendor's own words: the network, a deadline, the caller. The original error of a socket
// is not passed on, only its code and words: it may hold on to the request, and the request holds the key.
import { isHarnessError, type KnownError, ProviderError, type Usage } from "@harness/spec";
import { malformed } from "./classify.js";
import type { DeadlineName, Limits } from "./deadlines.js";
import { present } from "./present.js";
import { excerpt, scrub } from "./scrub.js";

const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there. Start the server, or correct the base URL.",
  ENOTFOUND: "the host name is not known. Check the base URL and the network.",
  EAI_AGAIN: "the host name could not be looked up. Check the network.",
  EHOSTUNREACH: "there is no way to that host. Check the network.",
  ENETUNREACH: "there is no way to that network. Check the network.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted. Name the authority's file in NODE_EXTRA_CA_CERTS.",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted. Name the authority's file in NODE_EXTRA_CA_CERTS.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted. Name the authority's file in NODE_EXTRA_CA_CERTS.",
  CERT_HAS_EXPIRED: "its certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host. Correct the base URL.",
};

const timeouts = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);

/** `hasAnswered`: the head of an answer had come. */
export function socketError(provider: string, target: string, error: unknown, hasAnswered: boolean): ProviderError {
  const { code, message } = origin(error);
  const kind = code !== undefined && timeouts.has(code) ? "timeout" : "transport";
  const what = hasAnswered ? `The answer of ${provider} broke off` : `Could not reach ${provider} at ${target}`;
  const why = (code && advice[code]) ?? `${excerpt(message).replace(/\.$/, "")}.`;
  return new ProviderError(kind, provider, `${what}${code === undefined ? "" : ` (${code})`}: ${why}`, {
    cause: new Error(message),
  });
}

/** The code may stand on the error, or on what caused it, or on the first of several attempts to connect. */
function origin(error: unknown): { readonly code: string | undefined; readonly message: string } {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    const { code, cause, errors, message } = current as Error & { code?: unknown; errors?: readonly unknown[] };
    if (typeof code === "string") return { code, message: message || code };
    if (cause === undefined && errors === undefined) return { code: undefined, message };
    current = cause ?? errors?.[0];
  }
  return { code: undefined, message: String(current) };
}

const stages: Readonly<Record<DeadlineName, (provider: string, target: string, ms: number) => string>> = {
  totalMs: (provider, _, ms) => `${provider} had not answered in full within ${ms} ms`,
  connectMs: (provider, target, ms) => `No connection to ${provider} at ${target} stood within ${ms} ms`,
  firstByteMs: (provider, _, ms) => `${provider} had not begun to answer within ${ms} ms`,
  idleMs: (provider, _, ms) => `${provider} sent nothing for ${ms} ms in the middle of its answer`,
  lingerMs: (provider, _, ms) => `${provider} did not end its answer within ${ms} ms`,
};

export function deadlineError(provider: string, target: string, deadline: DeadlineName, limits: Limits): ProviderError {
  const what = stages[deadline](provider, target, limits[deadline]);
  return new ProviderError("timeout", provider, `${what}. Try again, or raise the deadline ${deadline}.`);
}

/** The caller's own reason is the cause. */
export function cancelledError(provider: string, signal: AbortSignal): ProviderError {
  return new ProviderError("cancelled", provider, `The request to ${provider} was cancelled by its signal.`, {
    cause: signal.reason,
  });
}

/** An error as a port may throw it. What reading an answer trips over is the answer's fault: it was not of a shape we know. */
export function asProviderError(provider: string, error: unknown): KnownError {
  if (isHarnessError(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const failure = malformed(provider, "unreadable", `The answer of ${provider} could not be read: ${excerpt(reason)}.`);
  return restated(failure, { cause: error });
}

export interface Findings {
  readonly secrets?: readonly string[];
  readonly requestId?: string | undefined;
  readonly usage?: Usage | null | undefined;
  readonly cause?: unknown;
}

/** The same error without secrets, and with what the transport knows where the error itself did not say. */
export function restated(error: ProviderError, { secrets = [], requestId, usage, cause }: Findings): ProviderError {
  const clean = (text: string | undefined) => (text === undefined ? undefined : scrub(text, secrets));
  return new ProviderError(error.kind, error.provider, scrub(error.message, secrets), {
    ...present({
      status: error.status,
      vendorCode: clean(error.vendorCode),
      retryAfterMs: error.retryAfterMs,
      requestId: clean(error.requestId ?? requestId),
      usage: error.usage ?? usage ?? undefined,
    }),
    cause: cause ?? (error.kind === "cancelled" ? error.cause : cleanCause(error.cause, secrets)),
    failedLinks: error.failedLinks,
    isRetryable: error.isRetryable,
  });
}

function cleanCause(cause: unknown, secrets: readonly string[]): unknown {
  if (!(cause instanceof Error)) return undefined;
  const clean = new Error(scrub(cause.message, secrets));
  clean.name = cause.name;
  if (cause.stack !== undefined) clean.stack = scrub(cause.stack, secrets);
  return clean;
}
