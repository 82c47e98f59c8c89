// What has come of an answer, by `output_index`: the one thing about an item that every vendor keeps the same from its first event
// to its last. An item's `done` has the last word over what was streamed of it.
import { type Delta, isJsonObject, type JsonObject, type JsonValue, type ProposedCall } from "@harness/spec";
import { parsedArguments } from "../payload/call-arguments.js";
import { textOf } from "../payload/fields.js";
import { continuationData, messageSeparator, type Place, replayable } from "./continuation.js";
import { type Passages, passages } from "./passages.js";

type Item =
  | { readonly type: "message"; readonly phase?: string }
  | { readonly type: "reasoning"; readonly replay?: JsonObject | undefined }
  | { readonly type: "call"; name: string; id: string; written: string }
  | { readonly type: "other" };

/** Summaries come first; parts of the reasoning itself are counted from here. */
const firstReasoningPart = 1_000_000;

export class Answer {
  readonly #items = new Map<number, Item>();
  readonly #onDelta: (delta: Delta) => void;
  readonly #text: Passages;
  readonly #reasoning: Passages;
  #hasContent = false;
  /** The model declined, in words that are its answer's text. */
  isRefusal = false;

  constructor(onDelta: (delta: Delta) => void) {
    this.#onDelta = onDelta;
    const show = (type: "text" | "reasoning") => (text: string) => {
      this.#hasContent = true;
      onDelta({ type, text });
    };
    const between = (before: { item: number }, after: { item: number }) =>
      before.item === after.item ? "" : messageSeparator;
    this.#text = passages({ separator: between, show: show("text") });
    this.#reasoning = passages({ separator: () => messageSeparator, show: show("reasoning") });
  }

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  get hasContent(): boolean {
    return this.#hasContent;
  }

  open(index: number, item: JsonObject): void {
    switch (item.type) {
      case "message":
        this.#items.set(index, messageOf(item));
        return;
      case "reasoning":
        this.#items.set(index, { type: "reasoning", replay: replayable(item) });
        return;
      case "function_call":
        this.#named(this.#call(index), item);
        return;
      default:
        this.#items.set(index, { type: "other" });
    }
  }

  /** Takes what `item` holds for the whole of it. What it leaves out stays as it was streamed. */
  close(index: number, item: JsonObject): void {
    this.open(index, item);
    if (item.type === "message") this.#settleText(index, listOf(item.content));
    if (item.type === "reasoning") this.#settleReasoning(index, item);
    if (item.type === "function_call") this.replaceArguments(index, item.arguments);
  }

  addText(index: number, part: number, piece: JsonValue | undefined): void {
    this.#expect(index, { type: "message" });
    this.#text.append({ item: index, part }, textOf(piece));
  }

  addRefusal(index: number, part: number, piece: JsonValue | undefined): void {
    this.isRefusal = true;
    this.addText(index, part, piece);
  }

  addSummary(index: number, part: number, piece: JsonValue | undefined): void {
    this.#expect(index, { type: "reasoning" });
    this.#reasoning.append({ item: index, part }, textOf(piece));
  }

  addReasoning(index: number, part: number, piece: JsonValue | undefined): void {
    this.addSummary(index, firstReasoningPart + part, piece);
  }

  addArguments(index: number, piece: JsonValue | undefined): void {
    this.#call(index).written += textOf(piece);
  }

  replaceArguments(index: number, whole: JsonValue | undefined): void {
    const call = this.#call(index);
    if (isJsonObject(whole)) call.written = JSON.stringify(whole);
    else if (textOf(whole) !== "") call.written = textOf(whole);
  }

  get text(): string | null {
    return this.#text.text() || null;
  }

  get reasoning(): string | null {
    return this.#reasoning.text() || null;
  }

  /** In the order of their items. One that never got a name cannot be made, and is left out. */
  calls(): readonly ProposedCall[] {
    const ids = new Set<string>();
    return this.#ordered().flatMap(([, item]) => {
      if (item.type !== "call" || item.name === "") return [];
      const isUsable = item.id !== "" && !ids.has(item.id);
      ids.add(item.id);
      return [{ name: item.name, ...parsedArguments(item.written), ...(isUsable && { vendorId: item.id }) }];
    });
  }

  continuation(): JsonObject | undefined {
    return continuationData(
      this.#ordered().map(([index, item]): Place => {
        if (item.type === "call" && item.name !== "") return { type: "call" };
        if (item.type === "reasoning" && item.replay) return { type: "reasoning", item: item.replay };
        const chars = item.type === "message" ? this.#text.text(index).length : 0;
        return item.type === "message" && chars > 0 ? { ...item, chars } : { type: "other" };
      }),
    );
  }

  /** Shows everything anew when what was shown is not what it came to. */
  mend(): void {
    if (!this.#text.isTorn && !this.#reasoning.isTorn) return;
    this.#onDelta({ type: "reset" });
    if (this.reasoning !== null) this.#onDelta({ type: "reasoning", text: this.reasoning });
    if (this.text !== null) this.#onDelta({ type: "text", text: this.text });
  }

  #ordered(): readonly (readonly [number, Item])[] {
    return [...this.#items].sort(([a], [b]) => a - b);
  }

  #expect(index: number, item: Item): void {
    if (!this.#items.has(index)) this.#items.set(index, item);
  }

  #call(index: number): Extract<Item, { type: "call" }> {
    const found = this.#items.get(index);
    if (found?.type === "call") return found;
    const call: Item = { type: "call", name: "", id: "", written: "" };
    this.#items.set(index, call);
    this.#hasContent = true;
    return call;
  }

  #named(call: Extract<Item, { type: "call" }>, item: JsonObject): void {
    call.name = textOf(item.name) || call.name;
    call.id = textOf(item.call_id) || call.id;
    if (call.written === "") call.written = textOf(item.arguments);
  }

  #settleText(index: number, parts: readonly JsonObject[]): void {
    parts.forEach((part, nth) => {
      if (part.type === "refusal") this.isRefusal = true;
      this.#text.settle({ item: index, part: nth }, textOf(part.type === "refusal" ? part.refusal : part.text));
    });
    if (parts.length > 0) this.#text.cut(index, parts.length);
  }

  #settleReasoning(index: number, { summary, content }: JsonObject): void {
    const settle = (first: number) => (part: JsonObject, nth: number) => {
      if (textOf(part.text) !== "") this.#reasoning.settle({ item: index, part: first + nth }, textOf(part.text));
    };
    listOf(summary).forEach(settle(0));
    listOf(content).forEach(settle(firstReasoningPart));
  }
}

function messageOf({ phase }: JsonObject): Item {
  return { type: "message", ...(typeof phase === "string" && { phase }) };
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
