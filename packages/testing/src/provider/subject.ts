// What a case works on: a vendor of its own on the loopback interface, the wire that it speaks, and the provider under test, opened
// on that vendor with a key that must be found nowhere. When the case is over the vendor is gone.
import type { Completion, CompletionRequest, Delta, Provider } from "@harness/spec";
import { type VendorReply, type VendorServer, vendorServer } from "./vendor-server.js";
import { inEvents } from "./wires/framing.js";
import type { SpokenAnswer, VendorWire } from "./wires/wire.js";

/** The deadlines of one attempt, in ms. An absent one is the provider's own. */
export interface TestDeadlines {
  /** The whole attempt. */
  readonly totalMs?: number;
  /** Until the first byte of the answer. */
  readonly firstByteMs?: number;
  /** Between two bytes of the answer; a comment counts. */
  readonly idleMs?: number;
  /** For counts that come after the answer is whole. */
  readonly lingerMs?: number;
}

export interface OpenOptions {
  /** The credential. It must be in the request, and in nothing that the provider says. */
  readonly apiKey: string;
  /** The model to ask when a request names none. */
  readonly model: string;
  /** To be kept by a provider that declares `keepsDeadlines`; empty in all other cases. */
  readonly deadlines: TestDeadlines;
}

/** How to open the provider under test, and what it declares. */
export interface DescribeProviderOptions {
  /** The API that it speaks. */
  readonly wire: "anthropic-messages" | "openai-chat" | "openai-responses";
  /**
   * A provider that dials `baseUrl` and nothing else: what stands in front of `/messages`, `/chat/completions` or `/responses`,
   * without a slash at the end. Called at least once for each test.
   */
  readonly open: (baseUrl: string, options: OpenOptions) => Provider | Promise<Provider>;
  /** It takes the deadlines that `open` is given. */
  readonly keepsDeadlines?: boolean;
}

export type Case = (subject: Subject) => Promise<void>;

/** By title, which is a sentence about the provider. */
export type Cases = Readonly<Record<string, Case>>;

export interface Subject extends AsyncDisposable {
  readonly vendor: VendorServer;
  readonly wire: VendorWire;
  readonly provider: Provider;
  readonly apiKey: string;
  /** Another provider on the same vendor. */
  open(deadlines: TestDeadlines): Promise<Provider>;
  /** Another provider, on an address of its own. */
  openAt(baseUrl: string): Promise<Provider>;
  /** Lets the vendor answer well, as a stream. */
  speak(answer: SpokenAnswer, rest?: Partial<Extract<VendorReply, { type: "stream" }>>): void;
  /** Lets the vendor send these events and end. */
  send(events: readonly string[], rest?: Partial<Extract<VendorReply, { type: "stream" }>>): void;
  /** Asks the provider once, with `requestOf(request)`. Another provider, a signal and a watcher may be given. */
  ask(request?: Partial<CompletionRequest>, how?: How): Promise<Completion>;
}

export interface How {
  readonly provider?: Provider;
  readonly signal?: AbortSignal;
  readonly onDelta?: (delta: Delta) => void;
}

/** Looks like no real key, and like nothing that a vendor or a machine would write by itself. */
const sentinelKey = "sentinel-1f6ac37be85ab42d-key";
export const askedModel = "model-that-is-asked";

/** A request that every wire can carry. */
function requestOf(request: Partial<CompletionRequest> = {}): CompletionRequest {
  return { system: "Be brief.", messages: [{ role: "user", text: "Go on." }], tools: [], ...request };
}

export async function openSubject(options: DescribeProviderOptions, wire: VendorWire): Promise<Subject> {
  const vendor = await vendorServer();
  const baseUrl = `${vendor.origin}/v1`;
  const openAt = async (address: string, deadlines: TestDeadlines = {}) =>
    options.open(address, { apiKey: sentinelKey, model: askedModel, deadlines });
  const provider = await openAt(baseUrl);
  const send: Subject["send"] = (events, rest) => vendor.answer({ type: "stream", text: inEvents(events), ...rest });

  return {
    vendor,
    wire,
    provider,
    apiKey: sentinelKey,
    openAt: (address) => openAt(address),
    open: (deadlines) => openAt(baseUrl, deadlines),
    send,
    speak: (answer, rest) => send(wire.events(answer), rest),
    // Async, so that a provider that throws at once is seen as one that rejects, in the case that asks for it.
    ask: async (request, { signal = new AbortController().signal, onDelta, ...how } = {}) =>
      (how.provider ?? provider).complete(requestOf(request), { signal, ...(onDelta && { onDelta }) }),
    [Symbol.asyncDispose]: () => vendor.close(),
  };
}
