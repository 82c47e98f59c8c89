// Reasoning that only the model which wrote it can read. Each item of it belongs to the message or call behind it, and the API
// refuses one without that follower: so what is kept is the order of the answer's items, and what is replayed is walked in it.
import { isJsonObject, type JsonObject, type JsonValue } from "@harness/spec";
import type { AssistantTurn, VendorCall } from "../transcript/transcript.js";

/** One item of an answer, as far as its place matters. `chars` is the length of a message's text. */
export type Place =
  | { readonly type: "reasoning"; readonly item: JsonObject }
  | { readonly type: "message"; readonly chars: number; readonly phase?: string }
  | { readonly type: "call" }
  /** Something that ran at the vendor, and is not replayed. */
  | { readonly type: "other" };

/** Between the messages of one answer. */
export const messageSeparator = "\n\n";

/** What to keep of an answer's items, in their order. Nothing when no reasoning can be replayed and no message has a phase. */
export function continuationData(places: readonly Place[]): JsonObject | undefined {
  const kept = places.filter((place, index) => place.type !== "other" && hasFollower(places, index));
  const isNeeded = kept.some((place) => place.type === "reasoning" || (place.type === "message" && place.phase));
  return isNeeded ? { items: kept as readonly JsonObject[] } : undefined;
}

/** What the API needs of a reasoning item to read it again; `undefined` for one that it does not let out of its hands. */
export function replayable(item: JsonObject): JsonObject | undefined {
  if (typeof item.encrypted_content !== "string" || item.encrypted_content === "") return undefined;
  const { id, summary, content, encrypted_content } = item;
  return {
    type: "reasoning",
    ...(typeof id === "string" && { id }),
    summary: Array.isArray(summary) ? summary : [],
    ...(Array.isArray(content) && content.length > 0 && { content }),
    encrypted_content,
  };
}

/** The input items of an assistant's turn. */
export function assistantItems({ text, calls, continuation }: AssistantTurn): readonly JsonObject[] {
  const places = placesOf(continuation?.items);
  const left = { messages: cutInto(text, places), calls: calls.map(callItem) };
  const items = places.flatMap((place) => {
    switch (place.type) {
      case "reasoning":
        return [place.item];
      case "message":
        return left.messages.splice(0, 1);
      case "call":
        return left.calls.splice(0, 1);
      case "other":
        return [];
      default:
        return place satisfies never;
    }
  });
  items.push(...left.messages, ...left.calls);
  return items.slice(0, 1 + items.findLastIndex(({ type }) => type !== "reasoning"));
}

/** Whether what comes behind a reasoning item, other reasoning passed over, is replayed too. True for everything else. */
function hasFollower(places: readonly Place[], index: number): boolean {
  if (places[index]?.type !== "reasoning") return true;
  const next = places.slice(index + 1).find(({ type }) => type !== "reasoning");
  return next !== undefined && next.type !== "other";
}

function callItem({ id, name, arguments: input }: VendorCall): JsonObject {
  return { type: "function_call", call_id: id, name, arguments: JSON.stringify(input) };
}

/** The messages that `text` was joined from; one message where it has changed since, as when a secret was taken out of it. */
function cutInto(text: string | null, places: readonly Place[]): JsonObject[] {
  if (text === null) return [];
  const messages = places.filter((place) => place.type === "message");
  let from = 0;
  const parts = messages.map(({ chars }) => {
    const part = text.slice(from, from + chars);
    from += chars + messageSeparator.length;
    return part;
  });
  const isUnchanged = parts.join(messageSeparator) === text && parts.every((part) => part.trim() !== "");
  if (isUnchanged) return parts.map((part, index) => messageItem(part, messages[index]?.phase));
  return [messageItem(text, messages.length === 1 ? messages[0]?.phase : undefined)];
}

function messageItem(text: string, phase?: string): JsonObject {
  return { role: "assistant", content: [{ type: "output_text", text }], ...(phase !== undefined && { phase }) };
}

/** What was kept comes back from a log, so it is looked at again. */
function placesOf(items: JsonValue | undefined): readonly Place[] {
  return Array.isArray(items) ? items.filter(isPlace) : [];
}

function isPlace(value: JsonValue): value is JsonObject & Place {
  if (!isJsonObject(value)) return false;
  const { type, item, chars, phase = "" } = value;
  if (type === "reasoning") return isJsonObject(item);
  if (type === "message") return typeof chars === "number" && typeof phase === "string";
  return type === "call";
}
