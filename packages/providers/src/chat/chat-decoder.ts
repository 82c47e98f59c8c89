// The one decoder of the Chat API, for every vendor that speaks it. It reads what it knows and passes over the rest; what cannot
// be an answer is an error here, because a model with nothing to say and a connection that broke look the same from outside.
import { type JsonObject, ProviderError, type Usage } from "@harness/spec";
import { malformed, streamError } from "../http/classify.js";
import { type Fields, isFields, textOf } from "../payload/fields.js";
import { stopOf } from "../transcript/finish.js";
import { toolNames } from "../transcript/tool-names.js";
import type { Decoded, Decoder, DecoderContext } from "../wire.js";
import { type AssembledCall, CallAssembly } from "./call-assembly.js";
import { addDetails, continuationData, type Replay } from "./continuation.js";
import { wordsOf } from "./delta-text.js";
import { isUsage, usageOf } from "./usage.js";

/** Reasons that mean failure, whatever came before them. */
const failures: ReadonlySet<string> = new Set(["error", "network_error", "insufficient_system_resource"]);

export class ChatDecoder implements Decoder {
  state: Decoder["state"] = "open";
  readonly #context: DecoderContext;
  readonly #replay: Replay;
  readonly #calls = new CallAssembly();
  #text = "";
  #reasoning = "";
  #details: JsonObject[] | undefined;
  #isRefusal = false;
  #finishReason = "";
  #model = "";
  #counts: Fields | undefined;

  constructor(context: DecoderContext, replay: Replay) {
    this.#context = context;
    this.#replay = replay;
  }

  get hasContent(): boolean {
    return this.#text !== "" || this.#reasoning !== "" || !this.#calls.isEmpty;
  }

  get usage(): Usage | null {
    return this.#counts ? usageOf(this.#counts) : null;
  }

  push(payload: string): void {
    if (this.state === "done") return;
    const text = payload.trim();
    if (text === "[DONE]") {
      this.state = "done";
      return;
    }
    const chunk = this.#parsed(text);
    const choice = this.#header(chunk);
    if (!choice) return;
    // Some gateways answer with one event that holds the whole message, and some repeat it in the last one.
    const message = this.hasContent ? undefined : choice.message;
    if (isFields(choice.delta)) this.#words(choice.delta, false);
    else if (isFields(message)) this.#words(message, true);
    this.#finish(textOf(choice.finish_reason));
  }

  whole(body: unknown): void {
    if (!isFields(body)) throw this.#malformed("bad_json", "its answer is not a JSON object");
    const choice = this.#header(body);
    if (choice && isFields(choice.message)) this.#words(choice.message, true);
    this.#finish(textOf(choice?.finish_reason));
    this.state = "done";
  }

  end(): Decoded {
    const { provider, model, request } = this.#context;
    if (this.state === "open") throw this.#malformed("truncated", "its answer ended before it was whole");
    const calls = this.#calls.finish(toolNames(request.tools).fromVendor);
    this.#checkContent(calls);
    const finishReason = this.#finishReason || null;
    const data = this.#continuation(calls);
    return {
      text: this.#text || null,
      calls: calls.map(({ call }) => call),
      reasoning: this.#reasoning || null,
      usage: this.usage,
      model: this.#model || null,
      stop: this.#isRefusal ? "content-filter" : stopOf(finishReason, calls.length > 0),
      finishReason,
      ...(data ? { continuation: { provider, model, data } } : {}),
    };
  }

  /** What is no JSON is noise, unless it began as an object: then part of the answer is lost. */
  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      if (text.startsWith("{")) throw this.#malformed("bad_json", "a part of its answer is not valid JSON");
      return undefined;
    }
  }

  /** What stands beside the message: who answers, what it counted, whether it failed. Returns the choice, if there is one. */
  #header(value: unknown): Fields | undefined {
    const chunk = Array.isArray(value) ? value[0] : value;
    if (!isFields(chunk)) return undefined;
    this.#model ||= textOf(chunk.model);
    const choice = Array.isArray(chunk.choices) && isFields(chunk.choices[0]) ? chunk.choices[0] : undefined;
    this.#count(chunk, choice);
    const error = chunk.error ?? choice?.error ?? (chunk.object === "error" ? chunk : undefined);
    if (isFields(error) || textOf(error) !== "") {
      throw streamError(this.#context.provider, error, { usage: this.usage });
    }
    return choice;
  }

  /** The last counts hold: they are totals so far, not shares. */
  #count(chunk: Fields, choice: Fields | undefined): void {
    if (isUsage(chunk.usage)) this.#counts = chunk.usage;
    else if (isUsage(choice?.usage)) this.#counts = choice.usage;
    else if (isFields(chunk.x_groq) && isUsage(chunk.x_groq.usage)) this.#counts = chunk.x_groq.usage;
  }

  #words(delta: Fields, isMessage: boolean): void {
    const { text, reasoning, isRefusal } = wordsOf(delta);
    const { onDelta } = this.#context;
    if (reasoning !== "") {
      this.#reasoning += reasoning;
      onDelta({ type: "reasoning", text: reasoning });
    }
    if (text !== "") {
      this.#text += text;
      onDelta({ type: "text", text });
    }
    this.#isRefusal ||= isRefusal;
    if (Array.isArray(delta.tool_calls)) {
      delta.tool_calls.forEach((part, nth) => {
        this.#calls.add(part, isMessage ? nth : undefined);
      });
    }
    if (this.#replay === "details" && Array.isArray(delta.reasoning_details)) {
      this.#details ??= [];
      addDetails(this.#details, delta.reasoning_details);
    }
  }

  #finish(reason: string): void {
    if (reason === "") return;
    if (failures.has(reason)) {
      const { provider } = this.#context;
      const message = `Could not get an answer from ${provider}: it broke off with "${reason}". Ask again.`;
      throw new ProviderError("server", provider, message, { vendorCode: reason, ...this.#billed() });
    }
    this.#finishReason = reason;
    this.state = "finished";
  }

  #checkContent(calls: readonly AssembledCall[]): void {
    if (this.#text !== "" || calls.length > 0) return;
    if (this.#finishReason === "model_context_window_exceeded") {
      const { provider } = this.#context;
      const message = `Could not get an answer from ${provider}: the request fills the model's context. Send less of it.`;
      throw new ProviderError("context-overflow", provider, message, {
        vendorCode: this.#finishReason,
        ...this.#billed(),
      });
    }
    if (!this.#counts) throw this.#malformed("empty", "its answer holds neither text nor calls nor counts");
  }

  #continuation(calls: readonly AssembledCall[]): JsonObject | undefined {
    const extras = calls.map(({ extra }) => extra);
    return continuationData({ replay: this.#replay, reasoning: this.#reasoning, details: this.#details, extras });
  }

  #billed(): { readonly usage?: Usage } {
    const { usage } = this;
    return usage ? { usage } : {};
  }

  #malformed(code: string, problem: string): ProviderError {
    const { provider } = this.#context;
    const message = `Could not get an answer from ${provider}: ${problem}. Ask again.`;
    return malformed(provider, code, message, this.usage);
  }
}
