// A vendor behind HTTP as a `Provider`: a wire, an address and a key. Everything that differs between vendors is in these options,
// and the options live in closures: what is printed or serialised of a provider shows no key.
import {
  type Clock,
  type Completion,
  type CompletionRequest,
  type Delta,
  type ModelInfo,
  type Provider,
  systemClock,
} from "@harness/spec";
import type { Wire } from "../wire.js";
import { baseAddress } from "./address.js";
import { answerReader } from "./answer-reader.js";
import { type Deadlines, limitsFrom } from "./deadlines.js";
import { type Call, exchange } from "./exchange.js";
import { jsonReader } from "./json-reader.js";
import { checkedHeaders, secretsIn } from "./secrets.js";
import { openTransport } from "./transport.js";

export type { Deadlines } from "./deadlines.js";

/**
 * Asks the vendor for JSON with `GET`, at `path` behind the base address (`/models?limit=100`), with the provider's credential.
 * Rejects with `ProviderError`.
 */
export type FetchJson = (path: string) => Promise<unknown>;

export interface HttpProviderOptions {
  /** The label in the trace. */
  readonly name: string;
  readonly wire: Wire;
  /** The whole prefix in front of the wire's path, as the vendor documents it. One trailing slash is passed over. */
  readonly baseUrl: string;
  /** The model that is asked when a request names none. */
  readonly model: string;
  /** Headers of every request, the credential included. Their values never reach an error, an event or a log. */
  readonly headers: Readonly<Record<string, string>>;
  readonly acceptsImages: boolean;
  readonly deadlines: Deadlines;
  /** The catalogue, where the vendor has one. Asked for until it succeeds, and then never again. */
  readonly models?: (fetchJson: FetchJson) => Promise<readonly ModelInfo[]>;
  /** For tests. */
  readonly clock?: Clock;
}

/**
 * A provider that dials `baseUrl` and nothing else. Nothing is loaded or opened before the first call. Throws `ConfigError` for an
 * address, a header or a deadline that cannot be used.
 */
export function httpProvider(options: HttpProviderOptions): Provider {
  const { name, model, acceptsImages, models } = options;
  const line = openLine(options);
  return {
    ...{ spec: 1, name, endpoints: [{ target: line.address.target }], model, acceptsImages },
    complete: (request, asked) => complete(options.wire, line, { request, model: request.model ?? model, ...asked }),
    ...(models === undefined ? {} : { models: untilSuccess(() => models((path) => fetchJson(line, path))) }),
  };
}

/** What is the same in every request of one provider. */
type Line = Omit<Call<unknown>, "method" | "path" | "body" | "signal" | "reader">;

function openLine({ name, baseUrl, headers, deadlines, clock = systemClock() }: HttpProviderOptions): Line {
  const address = baseAddress(baseUrl);
  const given = checkedHeaders(headers);
  return {
    ...{ provider: name, address, clock, limits: limitsFrom(deadlines), transport: openTransport() },
    headers: { "user-agent": "io-harness", ...given },
    secrets: secretsIn(given, baseUrl),
  };
}

interface Asked {
  readonly request: CompletionRequest;
  readonly model: string;
  readonly signal: AbortSignal;
  readonly onDelta?: (delta: Delta) => void;
}

async function complete(wire: Wire, line: Line, { request, model, signal, onDelta }: Asked): Promise<Completion> {
  const { provider, clock } = line;
  const body = JSON.stringify(wire.encode(request, { provider, model }));
  return exchange({
    ...{ ...line, method: "POST", path: wire.path, body, signal },
    headers: { "content-type": "application/json", accept: "text/event-stream", ...line.headers },
    reader: (answer) => answerReader(wire, { ...answer, provider, model, request, clock, onDelta }),
  });
}

function fetchJson(line: Line, path: string): Promise<unknown> {
  return exchange({
    ...{ ...line, method: "GET", path, body: null },
    headers: { accept: "application/json", ...line.headers },
    reader: () => jsonReader(line.provider),
  });
}

/** Runs `ask` for as many callers as wait for it at once, and not again after it has succeeded. */
function untilSuccess<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = undefined;
      throw error;
    });
    return answer;
  };
}
