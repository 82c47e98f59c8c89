// Several providers as one. Each completion begins with the first; the next is asked, once, only when the one before could not
// answer. Nothing is remembered from one completion to the next, and nothing is retried here: that is the loop's.
import type { Completion, CompletionRequest, Delta, Endpoint, Provider } from "@harness/spec";
import { cancelled, type Failure, failedLinks, failureOf, fallsOver, withLinks } from "./failures.js";

/** A provider in a fallback, and what it is asked for when a request names a model of the first one. */
export interface FallbackLink {
  readonly provider: Provider;
  /**
   * From the model of a request to the one to ask here; for any other, the provider's own is asked. Not read of the first link,
   * whose models are what requests name.
   */
  readonly models?: Readonly<Record<string, string>>;
}

/**
 * A provider that asks `first`, and each of `rest` in turn when those before it failed for a reason of their own: `transport`,
 * `timeout`, `rate-limited`, `server`, `malformed` or `quota`. Any other failure is the answer, since the next would only hide it.
 *
 * What a failed link streamed is void: a `reset` is sent before another one is asked. A completion names the link that gave it in
 * `servedBy`, and those that failed before it in `failedLinks`; so does the error, which is the last link's.
 *
 * The `model` of a request is a model of the first link. The others are asked without it, or with what their `models` say.
 */
export function fallback(first: Provider | FallbackLink, ...rest: readonly (Provider | FallbackLink)[]): Provider {
  const links = [first, ...rest].map(linkOf);
  const providers = links.map(({ provider }) => provider);
  const [{ model } = {}] = providers;
  return {
    spec: 1,
    name: providers.map(({ name }) => name).join(" -> "),
    endpoints: union(providers),
    ...(model === undefined ? {} : { model }),
    acceptsImages: providers.every(({ acceptsImages = false }) => acceptsImages),
    complete: (request, { signal, onDelta }) => askInTurn(links, { request, signal, onDelta }),
  };
}

interface Asked {
  readonly request: CompletionRequest;
  readonly signal: AbortSignal;
  readonly onDelta: ((delta: Delta) => void) | undefined;
}

async function askInTurn(links: readonly FallbackLink[], asked: Asked): Promise<Completion> {
  const failures: Failure[] = [];
  for (const [index, link] of links.entries()) {
    const { provider } = link;
    if (asked.signal.aborted) throw cancelled(provider.name, asked.signal, failures);
    const request = index === 0 ? asked.request : translated(asked.request, link);
    const outcome = await ask(provider, { ...asked, request });
    if (outcome.type === "completion") return served(outcome.completion, provider, failures);
    const failure = failureOf(outcome.error, provider, request);
    const isLast = index === links.length - 1;
    if (isLast || !fallsOver(failure)) throw withLinks(failure, failures);
    failures.push(failure);
    if (outcome.isShown) asked.onDelta?.({ type: "reset" });
  }
  throw new Error("A fallback without links was asked.");
}

type LinkOutcome =
  | { readonly type: "completion"; readonly completion: Completion }
  | { readonly type: "failed"; readonly error: unknown; readonly isShown: boolean };

async function ask(provider: Provider, { request, signal, onDelta }: Asked): Promise<LinkOutcome> {
  let isShown = false;
  let isOver = false;
  const show = (delta: Delta) => {
    // A link that streams on behind its failure would write into the next one's words.
    if (isOver) return;
    isShown = delta.type !== "reset";
    onDelta?.(delta);
  };
  try {
    const completion = await provider.complete(request, { signal, ...(onDelta && { onDelta: show }) });
    return { type: "completion", completion };
  } catch (error) {
    return { type: "failed", error, isShown };
  } finally {
    isOver = true;
  }
}

function served(completion: Completion, { name }: Provider, failures: readonly Failure[]): Completion {
  const failed = [...failedLinks(failures), ...(completion.failedLinks ?? [])];
  const servedBy = completion.servedBy ?? name;
  return failed.length === 0 ? { ...completion, servedBy } : { ...completion, servedBy, failedLinks: failed };
}

function translated({ model, ...request }: CompletionRequest, { models = {} }: FallbackLink): CompletionRequest {
  const known = model !== undefined && Object.hasOwn(models, model) ? models[model] : undefined;
  return known === undefined ? request : { ...request, model: known };
}

function linkOf(link: Provider | FallbackLink): FallbackLink {
  return "complete" in link ? { provider: link } : link;
}

function union(providers: readonly Provider[]): readonly Endpoint[] {
  const byTarget = new Map(
    providers.flatMap(({ endpoints }) => endpoints).map((endpoint) => [endpoint.target, endpoint]),
  );
  return [...byTarget.values()];
}
