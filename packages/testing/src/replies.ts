// What a scripted model answers: a part of a completion, or a function that makes one, waits, throws or streams. Everything
// beyond plain data is a function, so the provider knows two kinds of reply and no more.
import {
  type CompletionRequest,
  type Delta,
  type JsonObject,
  ProviderError,
  type ProviderErrorFacts,
  type ProviderFailure,
} from "@harness/spec";
import type { Answer } from "./answers.js";

export interface ReplyContext {
  readonly signal: AbortSignal;
  readonly onDelta: (delta: Delta) => void;
  /** Which reply is asked for, from 1. */
  readonly turn: number;
  /** How often this reply was asked for, this time included. */
  readonly attempt: number;
  /** The provider's name, for errors. */
  readonly provider: string;
}

/** May throw, reject, wait, or call `onDelta` before it answers. Called synchronously inside `complete`. */
export type ReplyFunction = (request: CompletionRequest, context: ReplyContext) => Answer | Promise<Answer>;
export type Reply = Answer | ReplyFunction;

/** An answer in words, and the calls of `more` with them: `say("Let me look.", call("read_file", { path }))`. */
export function say(text: string, ...more: readonly Answer[]): Answer {
  return { ...calls(...more), text };
}

/** An answer that asks for one call. */
export function call(name: string, input: JsonObject = {}): Answer {
  return { calls: [{ name, arguments: input }] };
}

/** One answer that asks for everything that `answers` ask for, in order. */
export function calls(...answers: readonly Answer[]): Answer {
  return { calls: answers.flatMap((answer) => answer.calls ?? []) };
}

/** An answer that arrives in pieces, one turn of the microtask queue apart. Stops behind the next piece when aborted. */
export function stream(...pieces: readonly string[]): ReplyFunction {
  return async (_request, context) => {
    await send(pieces, context);
    return { text: pieces.join("") };
  };
}

export interface FailFacts extends ProviderErrorFacts {
  readonly message?: string;
  /** Text that is streamed before the failure. */
  readonly after?: readonly string[];
}

/** Rejects with a `ProviderError` of this kind, or with exactly `failure` when it is anything but a kind. */
export function fail(
  failure: ProviderFailure | Error,
  { message, after = [], ...facts }: FailFacts = {},
): ReplyFunction {
  return async (_request, context) => {
    await send(after, context);
    if (typeof failure !== "string") throw failure;
    throw new ProviderError(failure, context.provider, message ?? `The script fails here as "${failure}".`, facts);
  };
}

/** Never answers, once it has streamed `pieces`. Rejects as `cancelled` when aborted, as a provider must. */
export function hang(...pieces: readonly string[]): ReplyFunction {
  return async (_request, context) => {
    await send(pieces, context);
    return new Promise((_resolve, reject) => {
      const stop = () => reject(cancelled(context));
      if (context.signal.aborted) stop();
      else context.signal.addEventListener("abort", stop, { once: true });
    });
  };
}

async function send(pieces: readonly string[], context: ReplyContext): Promise<void> {
  for (const text of pieces) {
    context.onDelta({ type: "text", text });
    await Promise.resolve();
    if (context.signal.aborted) throw cancelled(context);
  }
}

function cancelled({ provider, signal }: ReplyContext): ProviderError {
  return new ProviderError("cancelled", provider, "The scripted completion was aborted.", { cause: signal.reason });
}
