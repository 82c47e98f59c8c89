// The seam between what all vendors share (a socket, deadlines, failures) and what each API says in its own way. A wire is pure:
// it knows no socket and no clock, so every recorded stream is a test of it without either.
import type { Completion, CompletionRequest, Delta, JsonObject, Usage } from "@harness/spec";

/** One API: how a request becomes a body, and how what comes back becomes a completion. */
export interface Wire {
  /** Behind the base address: `/chat/completions`. */
  readonly path: string;
  /** The same request gives the same bytes. Throws `ConfigError`, with nothing sent, for what the API cannot express. */
  encode(request: CompletionRequest, context: WireContext): JsonObject;
  decoder(context: DecoderContext): Decoder;
}

export interface WireContext {
  /** The provider's name, for errors and for whose continuation is replayed. */
  readonly provider: string;
  /** The model that is asked. */
  readonly model: string;
}

export interface DecoderContext extends WireContext {
  /** The request that is answered: tool names are mapped back through it. */
  readonly request: CompletionRequest;
  onDelta(delta: Delta): void;
}

/** One answer as it comes in. Used once. */
export interface Decoder {
  /** One payload of the stream: the text of an event's `data`. Throws `ProviderError`. */
  push(payload: string): void;
  /** An answer that came as one JSON body, although a stream was asked for. Throws `ProviderError`. */
  whole(body: unknown): void;
  /**
   * `open`: more must come. `finished`: the answer is whole, and the vendor may still add its counts. `done`: whatever follows is
   * of no interest.
   */
  readonly state: "open" | "finished" | "done";
  /** Whether any text, reasoning or call has come: what time to first token is measured by. */
  readonly hasContent: boolean;
  /** Counts so far; a failed attempt was billed too. */
  readonly usage: Usage | null;
  /** To be called at the end of the stream. Throws `ProviderError` (`malformed`) for an answer that is not whole, or empty. */
  end(): Decoded;
}

/** A completion, but for what only the transport knows. */
export type Decoded = Omit<Completion, "ttftMs" | "requestId" | "servedBy" | "failedLinks">;
