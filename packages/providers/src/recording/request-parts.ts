// A request repeats all that was said before it, so a recording keeps each message, tool and prompt once, under a number, and a
// request as those numbers. Two requests are the same when their numbers are.
import { type CompletionRequest, canonicalJson, type Message } from "@harness/spec";

/** A request with numbers in place of its parts. What else was asked for stands beside them. */
export interface NumberedRequest {
  readonly system: number;
  readonly tools: readonly number[];
  readonly messages: readonly number[];
}

export class Parts {
  readonly #numbers = new Map<string, number>();
  readonly #values: unknown[] = [];

  get size(): number {
    return this.#values.length;
  }

  /** -1 for a part that is not there. */
  find(value: unknown): number {
    return this.#numbers.get(canonicalJson(value)) ?? -1;
  }

  /** The number of an equal part, which this one becomes where there is none. */
  add(value: unknown): number {
    const json = canonicalJson(value);
    const known = this.#numbers.get(json);
    if (known !== undefined) return known;
    this.#numbers.set(json, this.#values.length);
    return this.#values.push(value) - 1;
  }

  at(number: number): unknown {
    return this.#values[number];
  }
}

/** Leaves out continuations: they are the vendor's, and stand in the answers that made them. */
export function numbered(request: CompletionRequest, numberOf: (part: unknown) => number): NumberedRequest {
  const { system, tools, messages, ...rest } = request;
  return {
    ...rest,
    system: numberOf(system),
    tools: tools.map(numberOf),
    messages: messages.map((message) => numberOf(withoutContinuation(message))),
  };
}

/** The request that was numbered. */
export function expanded({ system, tools, messages, ...rest }: NumberedRequest, parts: Parts): CompletionRequest {
  return {
    system: parts.at(system) as string,
    tools: tools.map((tool) => parts.at(tool)) as CompletionRequest["tools"],
    messages: messages.map((message) => parts.at(message)) as readonly Message[],
    ...rest,
  };
}

/** Equal for equal requests, as long as the numbers are of the same parts. */
export function keyOf(request: NumberedRequest): string {
  return canonicalJson(request);
}

export function withoutContinuation(message: Message): Message {
  if (message.role !== "assistant") return message;
  const { continuation: _, ...rest } = message;
  return rest;
}
