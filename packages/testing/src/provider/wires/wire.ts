// How a vendor speaks: the same answer, the same failure, in the words of each API. Cases know only this.
import type { ProviderFailure } from "@harness/spec";

/** An answer as a vendor means it. */
export interface SpokenAnswer {
  /** Streamed in pieces, one for each element, where the answer is streamed. */
  readonly text?: readonly string[];
  readonly calls?: readonly SpokenCall[];
  /** Tokens read and written. Default 11 and 7. */
  readonly usage?: SpokenUsage;
  /** Default `end`, or `tool-calls` where there are calls. */
  readonly stop?: "length";
  /** Default `model-that-answers`. */
  readonly model?: string;
}

export interface SpokenCall {
  readonly id: string;
  readonly name: string;
  /** The text of the arguments, streamed in pieces of four characters. */
  readonly input: string;
}

export interface SpokenUsage {
  readonly prompt: number;
  readonly completion: number;
}

/** The kinds of failure that a vendor can name in a body or in the middle of a stream. */
export type NamedFailure = Extract<
  ProviderFailure,
  "server" | "rate-limited" | "quota" | "context-overflow" | "auth" | "request"
>;

export interface SpokenFailure {
  /** The vendor's code. */
  readonly code: string;
  readonly message: string;
}

/** What a request says, whichever way it says it. */
export interface Heard {
  readonly model: string;
  readonly isStream: boolean;
  readonly tools: readonly string[];
  /** Calls of the transcript, in order, with the vendor's ids and names. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  /** Results of the transcript, in order. `id` is the call's. */
  readonly results: readonly { readonly id: string; readonly content: string }[];
  /** True when each batch of results comes directly behind the calls that it answers. */
  readonly isPaired: boolean;
}

export interface VendorWire {
  /** How the path of a request ends. */
  readonly path: string;
  /** The payloads of a streamed answer. */
  events(answer: SpokenAnswer): readonly string[];
  /** Those of an answer that is whole but for the formality at the end; `undefined` where the wire has none. */
  withoutEnd(answer: SpokenAnswer): readonly string[] | undefined;
  /** The answer as one JSON body. */
  body(answer: SpokenAnswer): string;
  /** The vendor's code for a failure. */
  readonly codes: Readonly<Record<NamedFailure, string>>;
  failureBody(failure: SpokenFailure): string;
  /** Payloads that report a failure in the middle of a stream. */
  failure(failure: SpokenFailure): readonly string[];
  /** Payloads of an attempt that fails after the vendor has told what it used. */
  billedFailure(failure: SpokenFailure, usage: SpokenUsage): readonly string[];
  /** A payload of a type that nobody has heard of. */
  readonly unknown: string;
  /** Headers that say: no requests left for another `seconds`. */
  exhausted(seconds: number): Readonly<Record<string, string>>;
  /** Reads a request's body. Throws when it is none of this wire's. */
  hear(body: string): Heard;
}

export const answeringModel = "model-that-answers";
export const usualUsage: SpokenUsage = { prompt: 11, completion: 7 };

/** Pieces of at most four characters, so that every argument comes in several. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/[\s\S]{1,4}/gu) ?? [];
}
