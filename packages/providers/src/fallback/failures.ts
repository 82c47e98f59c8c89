// What becomes of a link's failure: whether the next one is asked, and what is told of it either way.
import {
  type CompletionRequest,
  type FailedLink,
  isHarnessError,
  type Provider,
  ProviderError,
  type ProviderFailure,
} from "@harness/spec";

/** A failed link. `model` is what it was asked for, as far as that is known. */
export interface Failure {
  readonly error: ProviderError;
  /** What to throw when it stands alone: the link's own error, unchanged. */
  readonly thrown: unknown;
  readonly model: string | undefined;
}

/** Failures of one provider that say nothing about another. A wrong key is not among them: it would never be noticed. */
const ownFailures: ReadonlySet<ProviderFailure> = new Set([
  "transport",
  "timeout",
  "rate-limited",
  "server",
  "malformed",
  "quota",
]);

export function fallsOver({ error }: Failure): boolean {
  return ownFailures.has(error.kind);
}

export function failureOf(thrown: unknown, provider: Provider, request: CompletionRequest): Failure {
  const error = providerError(thrown, provider.name);
  // Where a link is itself several, the one that failed last may have been asked for something else.
  const model = error.provider === provider.name ? (request.model ?? provider.model) : undefined;
  return { error, thrown: isHarnessError(thrown) ? thrown : error, model };
}

/** Anything that is no error of ours is what a socket throws, and treated like it. */
function providerError(thrown: unknown, provider: string): ProviderError {
  if (isHarnessError(thrown) && thrown.code === "provider-failed") return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const kind = isHarnessError(thrown) ? "request" : "transport";
  return new ProviderError(kind, provider, `${provider} failed: ${message}`, { cause: thrown });
}

/** The failure of a chain that ends here. Where nothing failed before it, it is the link's own error. */
export function withLinks({ error, thrown }: Failure, before: readonly Failure[]): unknown {
  if (before.length === 0) return thrown;
  const { kind, provider, message, status, vendorCode, retryAfterMs, requestId, usage, isRetryable, runId } = error;
  return new ProviderError(kind, provider, message, {
    ...{ isRetryable, runId, cause: thrown, failedLinks: [...failedLinks(before), ...error.failedLinks] },
    ...(status !== undefined && { status }),
    ...(vendorCode !== undefined && { vendorCode }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(requestId !== undefined && { requestId }),
    ...(usage !== undefined && { usage }),
  });
}

/** The caller stopped while one link had failed and the next was not asked yet. */
export function cancelled(next: string, signal: AbortSignal, before: readonly Failure[]): ProviderError {
  const message = `The completion was cancelled before ${next} was asked.`;
  return new ProviderError("cancelled", next, message, { cause: signal.reason, failedLinks: failedLinks(before) });
}

export function failedLinks(failures: readonly Failure[]): readonly FailedLink[] {
  return failures.flatMap(({ error, model }) => [...error.failedLinks, linkOf(error, model)]);
}

function linkOf(
  { provider, kind, status, vendorCode, usage, message }: ProviderError,
  model: string | undefined,
): FailedLink {
  return {
    ...{ provider, kind, message },
    ...(status !== undefined && { status }),
    ...(vendorCode !== undefined && { vendorCode }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
  };
}
