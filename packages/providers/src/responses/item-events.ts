// The events about one item of an answer, and what each adds to it.
import { isJsonObject, type JsonObject, type JsonValue } from "@harness/spec";
import type { Answer } from "./answer.js";

type Reader = (answer: Answer, index: number, event: JsonObject) => void;

/** By the event's `type`. `index` is its `output_index`. */
export const itemEvents: ReadonlyMap<unknown, Reader> = new Map<unknown, Reader>([
  ["response.output_item.added", (answer, index, { item }) => answer.open(index, objectOf(item))],
  ["response.output_text.delta", (answer, index, event) => answer.addText(index, partOf(event), event.delta)],
  ["response.refusal.delta", (answer, index, event) => answer.addRefusal(index, partOf(event), event.delta)],
  [
    "response.reasoning_summary_text.delta",
    (answer, index, event) => answer.addSummary(index, partOf(event), event.delta),
  ],
  ["response.reasoning_text.delta", (answer, index, event) => answer.addReasoning(index, partOf(event), event.delta)],
  ["response.function_call_arguments.delta", (answer, index, { delta }) => answer.addArguments(index, delta)],
  ["response.function_call_arguments.done", (answer, index, event) => answer.replaceArguments(index, event.arguments)],
  ["response.output_item.done", (answer, index, { item }) => answer.close(index, objectOf(item))],
]);

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function partOf({ content_index, summary_index }: JsonObject): number {
  const part = content_index ?? summary_index;
  return typeof part === "number" ? part : 0;
}
