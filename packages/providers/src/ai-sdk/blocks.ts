// What a model said, in the order in which it began to: blocks of text and of reasoning, and calls. A stream tells them apart by ids,
// and may mix them.
import type { Delta } from "@harness/spec";
import { type Fields, textOf } from "../payload/fields.js";

export interface Block {
  readonly type: "text" | "reasoning" | "call";
  /** The vendor's id of a call. */
  readonly id: string;
  /** Of a call, its arguments as the model wrote them. */
  readonly text: string;
  /** What the provider hung on it. */
  readonly metadata: unknown;
  /** Of a call. */
  readonly name: string;
}

type Growing = { -readonly [Key in keyof Block]: Block[Key] };

export class Blocks {
  readonly #blocks = new Map<string, Growing>();
  /** Calls that the vendor carries out: none of ours, and shown in the same parts. */
  readonly #vendorCalls = new Set<string>();
  readonly #onDelta: (delta: Delta) => void;
  #hasReasoning = false;

  constructor(onDelta: (delta: Delta) => void) {
    this.#onDelta = onDelta;
  }

  /** Without blocks that came to nothing and carry nothing. */
  get all(): readonly Block[] {
    return [...this.#blocks.values()].filter(
      ({ type, text, metadata }) => type === "call" || text !== "" || metadata !== undefined,
    );
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  text(part: Fields): void {
    const delta = textOf(part.delta);
    this.#blockOf("text", part).text += delta;
    if (delta !== "") this.#onDelta({ type: "text", text: delta });
  }

  /** Separate blocks of reasoning are set apart by a blank line. */
  reasoning(part: Fields): void {
    const delta = textOf(part.delta);
    const block = this.#blockOf("reasoning", part);
    if (delta === "") return;
    const gap = block.text === "" && this.#hasReasoning ? "\n\n" : "";
    this.#hasReasoning = true;
    block.text += delta;
    this.#onDelta({ type: "reasoning", text: gap + delta });
  }

  input(part: Fields): void {
    if (!this.#isOurs(part)) return;
    this.#blockOf("call", part).text += textOf(part.delta);
  }

  /** A whole call replaces what was shown of it before. */
  call(part: Fields): void {
    if (!this.#isOurs(part)) return;
    const block = this.#blockOf("call", part);
    block.text = typeof part.input === "string" ? part.input : JSON.stringify(part.input ?? {});
  }

  #isOurs(part: Fields): boolean {
    if (part.providerExecuted === true) this.#vendorCalls.add(idOf(part));
    return !this.#vendorCalls.has(idOf(part));
  }

  #blockOf(type: Block["type"], part: Fields): Growing {
    const id = idOf(part);
    const key = `${type} ${id}`;
    const block = this.#blocks.get(key) ?? { type, id, text: "", metadata: undefined, name: "" };
    this.#blocks.set(key, block);
    block.name = textOf(part.toolName) || block.name;
    // The last one counts: a signature comes at the end.
    block.metadata = part.providerMetadata ?? block.metadata;
    return block;
  }
}

function idOf(part: Fields): string {
  return textOf(part.toolCallId ?? part.id);
}
