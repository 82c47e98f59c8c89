// The content of one answer, block by block. Fragments of several blocks may interleave, so each goes to the block its index
// names; blocks that the vendor's own tools fill are passed over, fragments included.
import { type Delta, isJsonObject, type JsonObject, type ProposedCall } from "@harness/spec";
import { parsedArguments } from "../payload/call-arguments.js";
import type { Piece } from "./continuation.js";

type Block =
  | { readonly type: "text"; chars: number }
  | { readonly type: "thinking"; thinking: string; signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown; json: string }
  | { readonly type: "other" };

type CallBlock = Extract<Block, { type: "tool_use" }>;

/** Lives as long as one answer takes to come in. */
export class Answer {
  /** In the order of the deltas. */
  text = "";
  reasoning = "";
  readonly #blocks: Block[] = [];
  readonly #at = new Map<number, Block>();
  readonly #emit: (delta: Delta) => void;
  #lastThinking: Block | undefined;

  constructor(emit: (delta: Delta) => void) {
    this.#emit = emit;
  }

  get hasContent(): boolean {
    return this.text !== "" || this.reasoning !== "" || this.#blocks.some(isCall);
  }

  start(index: number, block: JsonObject): void {
    const open = this.#at.get(index);
    // Some proxies announce a call twice.
    if (open?.type === "tool_use" && block.type === "tool_use" && open.id !== "" && open.id === block.id) return;
    const opened = this.#open(index, emptyBlock(block));
    if (opened.type === "text") this.#addText(opened, stringOf(block.text));
    if (opened.type === "thinking") this.#addThinking(opened, stringOf(block.thinking));
  }

  /** A fragment of a call that was never announced is passed over: it names no tool. Words are kept. */
  delta(index: number, delta: JsonObject): void {
    const block = this.#at.get(index);
    switch (delta.type) {
      case "text_delta": {
        const target = block ?? this.#open(index, emptyBlock({ type: "text" }));
        if (target.type === "text") this.#addText(target, stringOf(delta.text));
        return;
      }
      case "thinking_delta": {
        const target = block ?? this.#open(index, emptyBlock({ type: "thinking" }));
        if (target.type === "thinking") this.#addThinking(target, stringOf(delta.thinking));
        return;
      }
      case "signature_delta":
        if (block?.type === "thinking") block.signature = stringOf(delta.signature);
        return;
      case "input_json_delta":
        if (block?.type === "tool_use") block.json += stringOf(delta.partial_json);
    }
  }

  /** Another model goes on from here: what the one before it signed is of no use to it. */
  forgetThinking(): void {
    const kept = this.#blocks.filter(({ type }) => type !== "thinking" && type !== "redacted_thinking");
    this.#blocks.splice(0, Infinity, ...kept);
  }

  /** In the order they were announced. One without a name is left out: there is nothing to call. */
  calls(fromVendor: (name: string) => string): readonly ProposedCall[] {
    const ids = new Set<string>();
    return this.#blocks.filter(isCall).map(({ id, name, input, json }) => {
      const isFresh = id !== "" && !ids.has(id);
      ids.add(id);
      return { name: fromVendor(name), ...argumentsOf(json, input), ...(isFresh ? { vendorId: id } : {}) };
    });
  }

  /** Thinking without a signature, as of a stream that was cut, is left out: it would be refused. */
  pieces(): readonly Piece[] {
    return this.#blocks.flatMap(pieceOf);
  }

  #open(index: number, block: Block): Block {
    this.#blocks.push(block);
    this.#at.set(index, block);
    return block;
  }

  #addText(block: Extract<Block, { type: "text" }>, text: string): void {
    if (text === "") return;
    block.chars += text.length;
    this.text += text;
    this.#emit({ type: "text", text });
  }

  #addThinking(block: Extract<Block, { type: "thinking" }>, thinking: string): void {
    if (thinking === "") return;
    block.thinking += thinking;
    const isNext = this.#lastThinking !== block && this.reasoning !== "";
    this.#lastThinking = block;
    const text = isNext ? `\n\n${thinking}` : thinking;
    this.reasoning += text;
    this.#emit({ type: "reasoning", text });
  }
}

function emptyBlock(block: JsonObject): Block {
  switch (block.type) {
    case "text":
      return { type: "text", chars: 0 };
    case "thinking":
      return { type: "thinking", thinking: "", signature: stringOf(block.signature) };
    case "redacted_thinking":
      return { type: "redacted_thinking", data: stringOf(block.data) };
    case "tool_use":
      return { type: "tool_use", id: stringOf(block.id), name: stringOf(block.name), input: block.input, json: "" };
    default:
      return { type: "other" };
  }
}

function pieceOf(block: Block): readonly Piece[] {
  switch (block.type) {
    case "text":
      return block.chars > 0 ? [{ type: "text", chars: block.chars }] : [];
    case "thinking":
      return block.signature === "" ? [] : [{ ...block }];
    case "redacted_thinking":
      return [block];
    case "tool_use":
      return isCall(block) ? [{ type: "call" }] : [];
    default:
      return [];
  }
}

function isCall(block: Block): block is CallBlock {
  return block.type === "tool_use" && block.name !== "";
}

/** Where no fragment came, what the announcement had. */
function argumentsOf(json: string, input: unknown): Pick<ProposedCall, "arguments" | "invalidArguments"> {
  return json.trim() === "" && isJsonObject(input) ? { arguments: input } : parsedArguments(json);
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
