// Reads the events of the Responses API. The payload's own `type` decides, and what is unknown is passed over: the API grows new
// events and items faster than anyone keeps up with, and most of them are about work that the vendor does itself.
import { isJsonObject, type JsonObject, type JsonValue, ProviderError, type Usage } from "@harness/spec";
import { malformed, streamError } from "../http/classify.js";
import { stopOf } from "../transcript/finish.js";
import { type ToolNames, toolNames } from "../transcript/tool-names.js";
import type { Decoded, Decoder, DecoderContext } from "../wire.js";
import { Answer } from "./answer.js";
import { itemEvents, objectOf } from "./item-events.js";
import { responsesUsage } from "./usage.js";

export class ResponsesDecoder implements Decoder {
  readonly #context: DecoderContext;
  readonly #names: ToolNames;
  readonly #answer: Answer;
  #isDone = false;
  #model: string | null = null;
  #finishReason: string | null = null;
  #latest = 0;
  usage: Usage | null = null;

  constructor(context: DecoderContext) {
    this.#context = context;
    this.#names = toolNames(context.request.tools);
    this.#answer = new Answer((delta) => context.onDelta(delta));
  }

  get state(): "open" | "done" {
    return this.#isDone ? "done" : "open";
  }

  get hasContent(): boolean {
    return this.#answer.hasContent;
  }

  push(payload: string): void {
    if (this.#isDone) return;
    const event = this.#parse(payload);
    if (event) this.#read(event);
  }

  whole(body: unknown): void {
    if (!isJsonObject(body)) throw malformed(this.#context.provider, "bad_json", this.#complaint("is no JSON object"));
    this.#refuseChat(body);
    if (body.status === "failed" || (body.error !== undefined && body.error !== null)) throw this.#failure(body);
    if (body.status === "in_progress" || body.status === "queued") return;
    if (Array.isArray(body.output)) this.#finish(body);
  }

  end(): Decoded {
    const { provider, model } = this.#context;
    const { text, reasoning, isRefusal } = this.#answer;
    const calls = this.#answer.calls().map((call) => ({ ...call, name: this.#names.fromVendor(call.name) }));
    if (!this.#isDone) {
      throw malformed(provider, "truncated", this.#complaint("ended before it was whole"), this.usage);
    }
    if (text === null && calls.length === 0 && this.usage === null) {
      throw malformed(provider, "empty", this.#complaint("holds no text, no call and no counts"));
    }
    this.#answer.mend();
    const data = this.#answer.continuation();
    return {
      text,
      calls,
      reasoning,
      usage: this.usage,
      model: this.#model,
      stop: isRefusal ? "content-filter" : stopOf(this.#finishReason, calls.length > 0),
      finishReason: this.#finishReason,
      ...(data && { continuation: { provider, model, data } }),
    };
  }

  /** What does not begin as an object is no event: comments that a proxy made into data, or the end mark of another API. */
  #parse(payload: string): JsonObject | undefined {
    const text = payload.trim();
    if (!text.startsWith("{")) return undefined;
    try {
      return JSON.parse(text) as JsonObject;
    } catch {
      throw malformed(this.#context.provider, "bad_json", this.#complaint("has an event that is no JSON"), this.usage);
    }
  }

  #read(event: JsonObject): void {
    const readItem = itemEvents.get(event.type);
    if (readItem) {
      readItem(this.#answer, this.#indexOf(event), event);
      return;
    }
    switch (event.type) {
      case "response.created":
      case "response.in_progress":
        this.#note(objectOf(event.response));
        return;
      case "response.completed":
      case "response.incomplete":
        this.#finish(objectOf(event.response), event.type.slice("response.".length));
        return;
      case "response.failed":
      case "error":
        throw this.#failure(event);
      default:
        this.#passOver(event);
    }
  }

  /** Events that a vendor may add are fine. What says that this is no such stream is not. */
  #passOver(event: JsonObject): void {
    if (typeof event.type === "string") return;
    this.#refuseChat(event);
    if (event.error !== undefined && event.error !== null) throw this.#failure(event);
  }

  #finish(response: JsonObject, status: string | null = null): void {
    this.#note(response);
    if (this.#answer.isEmpty && Array.isArray(response.output)) {
      response.output.forEach((item: JsonValue, index: number) => {
        this.#answer.close(index, objectOf(item));
      });
    }
    const { reason } = objectOf(response.incomplete_details);
    this.#finishReason = wordOf(reason) ?? wordOf(response.status) ?? status;
    this.#isDone = true;
  }

  #note(response: JsonObject): void {
    this.#model = wordOf(response.model) ?? this.#model;
    this.usage = responsesUsage(response.usage) ?? this.usage;
  }

  #failure(event: JsonObject): ProviderError {
    const response = objectOf(event.response);
    this.#note(response);
    return streamError(this.#context.provider, response.error ?? event.error ?? event, { usage: this.usage });
  }

  #refuseChat({ choices, object }: JsonObject): void {
    if (!Array.isArray(choices) && !String(object).startsWith("chat.completion")) return;
    const { provider } = this.#context;
    const message = `${provider} answered a request of the Responses API in the form of Chat Completions. Use the Chat provider for this endpoint, or correct the base URL.`;
    throw new ProviderError("request", provider, message);
  }

  #complaint(problem: string): string {
    return `The answer of ${this.#context.provider} ${problem}. Ask again.`;
  }

  #indexOf({ output_index }: JsonObject): number {
    if (typeof output_index === "number") this.#latest = output_index;
    return this.#latest;
  }
}

function wordOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
