// The events of a Messages stream, and what they come to. The payload's own type decides; event names and what is not known
// here are passed over.
import { type Delta, isJsonObject, type JsonObject, ProviderError, type Usage } from "@harness/spec";
import { malformed, streamError } from "../http/classify.js";
import { stopOf } from "../transcript/finish.js";
import { parsedPayload } from "../transcript/payload.js";
import { toolNames } from "../transcript/tool-names.js";
import type { Decoded, Decoder, DecoderContext } from "../wire.js";
import { Answer } from "./answer.js";
import { continuationData } from "./continuation.js";
import { addCounts, type Counts, noCounts, usageOf } from "./usage.js";

/** Lives as long as one answer takes to come in. */
export class MessagesDecoder implements Decoder {
  state: Decoder["state"] = "open";
  readonly #context: DecoderContext;
  readonly #answer: Answer;
  #hasStarted = false;
  #id: unknown;
  #model: string | null = null;
  /** The one that took over in the middle, if any. */
  #successor: string | undefined;
  #finishReason: string | null = null;
  #counts: Counts = noCounts;

  constructor(context: DecoderContext) {
    this.#context = context;
    this.#answer = new Answer((delta: Delta) => context.onDelta(delta));
  }

  get hasContent(): boolean {
    return this.#answer.hasContent;
  }

  get usage(): Usage | null {
    return usageOf(this.#counts);
  }

  push(payload: string): void {
    if (this.state === "done") return;
    const event = parsedPayload(payload, this.#context.provider, this);
    if (event) this.#take(event);
  }

  whole(body: unknown): void {
    if (!isJsonObject(body)) return;
    this.#refuse(body);
    this.#start(body);
    if (Array.isArray(body.content)) this.state = "done";
  }

  end(): Decoded {
    const text = this.#answer.text === "" ? null : this.#answer.text;
    const { fromVendor } = toolNames(this.#context.request.tools);
    const calls = this.#answer.calls(fromVendor);
    this.#checkWhole(text === null && calls.length === 0);
    const { provider, model } = this.#context;
    const data = continuationData(this.#answer.pieces());
    return {
      text,
      calls,
      reasoning: this.#answer.reasoning === "" ? null : this.#answer.reasoning,
      usage: this.usage,
      model: this.#successor ?? this.#model,
      stop: stopOf(this.#finishReason, calls.length > 0),
      finishReason: this.#finishReason,
      // Named for the model that was asked, which is what the next request compares: an alias answers under another name.
      ...(data ? { continuation: { provider, model: this.#successor ?? model, data } } : {}),
    };
  }

  #take(event: JsonObject): void {
    switch (event.type) {
      case "message_start":
        this.#start(objectOf(event.message));
        break;
      case "content_block_start":
        this.#startBlock(indexOf(event), objectOf(event.content_block));
        break;
      case "content_block_delta":
        this.#answer.delta(indexOf(event), objectOf(event.delta));
        break;
      case "message_delta":
        this.#finish(objectOf(event.delta), event.usage);
        break;
      case "message_stop":
        this.state = "done";
        break;
      default:
        this.#refuse(event);
    }
  }

  #start(message: JsonObject): void {
    if (this.#hasStarted) {
      this.#checkSame(message);
      return;
    }
    this.#hasStarted = true;
    this.#id = message.id;
    this.#model = wordOf(message.model);
    const content = Array.isArray(message.content) ? message.content : [];
    for (const [index, block] of content.entries()) this.#startBlock(index, objectOf(block));
    this.#finish(message, message.usage);
  }

  /** A proxy that repeats itself is harmless; one that mixes two answers makes calls that no model asked for. */
  #checkSame({ id }: JsonObject): void {
    if (typeof id !== "string" || typeof this.#id !== "string" || id === this.#id) return;
    throw this.#malformed("overlapping_message", "a second answer began inside the first");
  }

  #startBlock(index: number, block: JsonObject): void {
    if (block.type === "fallback") this.#handOver(wordOf(objectOf(block.to).model));
    this.#answer.start(index, block);
  }

  #handOver(model: string | null): void {
    if (model === null) return;
    this.#successor = model;
    this.#answer.forgetThinking();
  }

  #finish({ stop_reason }: JsonObject, usage: unknown): void {
    this.#counts = addCounts(this.#counts, usage);
    const word = wordOf(stop_reason);
    if (word === null) return;
    this.#finishReason = word;
    this.state = "finished";
  }

  /** Throws for an event or a body that reports a failure. */
  #refuse(payload: JsonObject): void {
    if (payload.type !== "error" && !payload.error) return;
    throw streamError(this.#context.provider, payload, { usage: this.usage });
  }

  #checkWhole(isBare: boolean): void {
    if (this.state === "open") throw this.#malformed("truncated", "the answer ended before it was whole");
    const { provider } = this.#context;
    if (isBare && this.#finishReason === "model_context_window_exceeded") {
      const message = `Could not get an answer of ${provider}: the request fills the model's context window. Shorten it.`;
      const facts = { vendorCode: this.#finishReason, ...(this.usage ? { usage: this.usage } : {}) };
      throw new ProviderError("context-overflow", provider, message, facts);
    }
    if (isBare && this.usage === null) throw this.#malformed("empty", "the answer has no content and no counts");
  }

  #malformed(code: string, problem: string): ProviderError {
    const { provider } = this.#context;
    return malformed(provider, code, `Could not read the answer of ${provider}: ${problem}. Ask again.`, this.usage);
  }
}

/** -1 for none, so that blocks without an index follow one another. */
function indexOf({ index }: JsonObject): number {
  return typeof index === "number" ? index : -1;
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function wordOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
