// From the parts of a model's stream to a completion. Parts of a type that is not known, or that only show what the vendor did on its
// own, are passed over: sources, files, raw chunks, results of tools that the vendor runs.
import type { Completion, Delta, ProposedCall, StopReason, Usage } from "@harness/spec";
import { malformed } from "../http/classify.js";
import { parsedArguments } from "../payload/call-arguments.js";
import { type Fields, isFields, textOf } from "../payload/fields.js";
import type { ToolNames } from "../transcript/tool-names.js";
import type { WireContext } from "../wire.js";
import { type Block, Blocks } from "./blocks.js";
import { failureFrom } from "./failures.js";
import { continuationData, metadataOf, type Piece } from "./pieces.js";
import { usageFrom } from "./usage.js";

export interface AnswerContext extends WireContext {
  readonly names: ToolNames;
  onDelta(delta: Delta): void;
}

/** A completion, but for what only the caller knows. */
export type Answered = Omit<Completion, "ttftMs" | "requestId">;

export class Answer {
  readonly #context: AnswerContext;
  readonly #blocks: Blocks;
  #usage: Usage | null = null;
  #model: string | null = null;
  #finish: Finish | undefined;

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#blocks = new Blocks((delta) => context.onDelta(delta));
  }

  /** Whether any text, reasoning or call has come. */
  get hasContent(): boolean {
    return !this.#blocks.isEmpty;
  }

  /** Takes one part. Throws `ProviderError`, or `ConfigError` for what the model cannot be asked. */
  push(part: unknown): void {
    if (!isFields(part)) return;
    const type = textOf(part.type);
    const family = /^(.+)-(?:start|delta|end)$/.exec(type)?.[1];
    if (family === "text") this.#blocks.text(part);
    if (family === "reasoning") this.#blocks.reasoning(part);
    if (family === "tool-input") this.#blocks.input(part);
    if (type === "tool-call") this.#blocks.call(part);
    this.#note(part);
  }

  #note(part: Fields): void {
    if (part.type === "response-metadata") this.#model = textOf(part.modelId) || this.#model;
    if (part.type === "error") throw failureFrom(this.#context.provider, part.error, this.#usage);
    if (part.type !== "finish") return;
    this.#usage = usageFrom(part.usage);
    this.#finish = finishOf(part.finishReason);
  }

  /** To be called at the end of the stream. Throws `ProviderError` for an answer that is not whole, or empty. */
  end(): Answered {
    const { provider, model, names } = this.#context;
    const blocks = this.#blocks.all;
    const finish = this.#checkedFinish();
    const calls = blocks.filter(({ type }) => type === "call").map((block) => proposed(block, names));
    const data = continuationData(blocks.map(pieceOf));
    return {
      text: joined(blocks, "text", ""),
      reasoning: joined(blocks, "reasoning", "\n\n"),
      calls,
      usage: this.#usage,
      model: this.#model,
      stop: stopOf(finish.unified, calls.length > 0),
      finishReason: finish.raw || null,
      ...(data && { continuation: { provider, model, data } }),
    };
  }

  #checkedFinish(): Finish {
    const { provider } = this.#context;
    const finish = this.#finish;
    if (finish === undefined || finish.isUnsaid) {
      throw malformed(provider, "truncated", `The answer of ${provider} ended in the middle. Try again.`, this.#usage);
    }
    if (finish.unified === "error") {
      throw failureFrom(provider, `the model stopped because of an error (${finish.raw})`, this.#usage);
    }
    if (this.#blocks.isEmpty && this.#usage === null) {
      throw malformed(provider, "empty", `${provider} answered with nothing at all. Try again.`);
    }
    return finish;
  }
}

interface Finish {
  readonly unified: string;
  /** The vendor's own word, where it is known. */
  readonly raw: string;
  /** The stream ended, and nobody said why: `interrupted`, or `other` without the vendor's word for it. */
  readonly isUnsaid: boolean;
}

function finishOf(reason: unknown): Finish {
  if (!isFields(reason)) return { unified: textOf(reason), raw: textOf(reason), isUnsaid: false };
  const [unified, raw] = [textOf(reason.unified), textOf(reason.raw)];
  return { unified, raw: raw || unified, isUnsaid: unified === "interrupted" || (unified === "other" && raw === "") };
}

function stopOf(unified: string, hasCalls: boolean): StopReason {
  if (unified === "length" || unified === "content-filter") return unified;
  if (hasCalls) return "tool-calls";
  return unified === "stop" ? "end" : "other";
}

function proposed({ id, name, text }: Block, names: ToolNames): ProposedCall {
  return { name: names.fromVendor(name), ...parsedArguments(text), ...(id !== "" && { vendorId: id }) };
}

/** `null` when there is none. */
function joined(blocks: readonly Block[], type: Block["type"], gap: string): string | null {
  const texts = blocks.filter((block) => block.type === type && block.text !== "").map(({ text }) => text);
  return texts.length === 0 ? null : texts.join(gap);
}

function pieceOf({ type, text, metadata: hung }: Block): Piece {
  const found = metadataOf(hung);
  const metadata = found && { metadata: found };
  if (type === "call") return { type, ...metadata };
  return type === "text" ? { type, chars: text.length, ...metadata } : { type, text, ...metadata };
}
