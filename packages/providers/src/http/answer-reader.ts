// From the bytes of an answer to payloads for a wire's decoder. A stream was asked for, and some gateways answer with one JSON body
// all the same; which of the two it is, its first character says. Nothing here is done per payload but handing it on.
import type { Clock, Completion, CompletionRequest, Delta, ProviderError } from "@harness/spec";
import type { EventSourceParser } from "eventsource-parser";
import type { Decoder, Wire } from "../wire.js";
import { malformed, requestIdOf } from "./classify.js";
import type { Answer, Reader } from "./reader.js";

/** Longest event, or JSON body, in characters. */
const maxLength = 8 * 1024 * 1024;

export interface AnswerContext extends Answer {
  readonly provider: string;
  readonly model: string;
  readonly request: CompletionRequest;
  readonly clock: Clock;
  readonly onDelta: ((delta: Delta) => void) | undefined;
}

export function answerReader(wire: Wire, context: AnswerContext): Reader<Completion> {
  return new AnswerReader(wire, context);
}

type Mode = "undecided" | "events" | "json" | "page";

class AnswerReader implements Reader<Completion> {
  readonly #context: AnswerContext;
  readonly #decoder: Decoder;
  readonly #text = new TextDecoder("utf-8");
  readonly #parser: EventSourceParser;
  #mode: Mode = "undecided";
  /** What came before the mode was known; then the JSON. */
  #held = "";
  #ttftMs: number | null = null;
  #isClosed = false;

  constructor(wire: Wire, context: AnswerContext) {
    const { provider, model, request, onDelta = () => {} } = context;
    this.#context = context;
    this.#decoder = wire.decoder({
      ...{ provider, model, request },
      onDelta: (delta) => {
        if (!this.#isClosed) onDelta(delta);
      },
    });
    this.#parser = context.libraries.createParser({
      maxBufferSize: maxLength,
      onEvent: ({ data }) => {
        if (this.#decoder.state !== "done") this.#decoder.push(data);
      },
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") throw this.#tooLong();
      },
    });
  }

  get state() {
    return this.#decoder.state;
  }

  get usage() {
    return this.#decoder.usage;
  }

  push(bytes: Uint8Array): void {
    this.#take(this.#text.decode(bytes, { stream: true }));
    this.#timeContent();
  }

  flush(): void {
    this.#take(this.#text.decode());
    // The parser hands on at a blank line only, and the last event may have none.
    if (this.#mode === "events") this.#parser.feed("\n\n");
    if (this.#mode === "json") this.#decoder.whole(this.#parsed());
    this.#timeContent();
  }

  end(): Completion {
    const requestId = requestIdOf(this.#context.headers);
    return { ...this.#decoder.end(), ttftMs: this.#ttftMs, ...(requestId === undefined ? {} : { requestId }) };
  }

  close(): void {
    this.#isClosed = true;
  }

  #take(text: string): void {
    if (this.#mode === "events") {
      this.#parser.feed(text);
      return;
    }
    this.#held += text;
    if (this.#held.length > maxLength) throw this.#tooLong();
    if (this.#mode === "json") return;
    this.#mode = modeOf(this.#held, this.#context.headers["content-type"]);
    if (this.#mode === "page") throw this.#isPage();
    if (this.#mode !== "events") return;
    this.#parser.feed(this.#held);
    this.#held = "";
  }

  #parsed(): unknown {
    try {
      return JSON.parse(this.#held);
    } catch {
      const { provider } = this.#context;
      throw malformed(provider, "bad_json", `${provider} answered with JSON that does not parse. Try again.`);
    }
  }

  #timeContent(): void {
    if (this.#ttftMs !== null || !this.#decoder.hasContent) return;
    this.#ttftMs = this.#context.clock.now() - this.#context.startedAt;
  }

  #tooLong(): ProviderError {
    const { provider } = this.#context;
    const what = `${provider} sent one event or body of more than ${maxLength} characters, and was cut off. Try again.`;
    return malformed(provider, "too_long", what, this.usage);
  }

  #isPage(): ProviderError {
    const { provider } = this.#context;
    const what = `${provider} answered with a web page instead of a completion. Check the base URL.`;
    return malformed(provider, "web_page", what);
  }
}

/** JSON and pages are told by their first character, because gateways label either as they like. */
function modeOf(text: string, contentType: string | undefined): Mode {
  const first = text.trimStart()[0];
  if (first === undefined) return "undecided";
  if (first === "{" || first === "[") return "json";
  if (first === "<") return "page";
  const isLabelledJson = /\bjson\b/i.test(contentType ?? "");
  // The first letters of what a stream may begin with: `data`, `event`, `id`, `retry` and a comment.
  return isLabelledJson && !"deir:".includes(first) ? "json" : "events";
}
