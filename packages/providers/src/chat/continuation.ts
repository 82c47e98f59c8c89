// What only the model that made it can read, kept under the keys in which it came and must go back: `reasoning_details`,
// `reasoning_content`, and `extra_content`, one entry for each call in their order.
import { isJsonObject, type JsonObject, type JsonValue } from "@harness/spec";
import type { AssistantTurn } from "../transcript/transcript.js";
import type { Quirks } from "./quirks.js";

export type Replay = Required<Quirks>["reasoningReplay"];

export interface Kept {
  readonly replay: Replay;
  readonly reasoning: string;
  /** `undefined` when none came; an empty list came, and goes back. */
  readonly details: readonly JsonObject[] | undefined;
  readonly extras: readonly (JsonObject | undefined)[];
}

/** `undefined` when nothing has to go back. */
export function continuationData({ replay, reasoning, details, extras }: Kept): JsonObject | undefined {
  const data: JsonObject = {
    ...(replay === "details" && details ? { reasoning_details: details } : {}),
    ...(replay === "tool-turns" && extras.length > 0 && reasoning !== "" ? { reasoning_content: reasoning } : {}),
    ...(extras.some((extra) => extra) ? { extra_content: extras.map((extra) => extra ?? null) } : {}),
  };
  return Object.keys(data).length === 0 ? undefined : data;
}

/** The keys to put on the assistant message. */
export function replayedReasoning({ continuation, calls }: AssistantTurn, replay: Replay): JsonObject {
  if (replay === "details" && Array.isArray(continuation?.reasoning_details)) {
    return { reasoning_details: continuation.reasoning_details };
  }
  if (replay === "tool-turns" && calls.length > 0 && typeof continuation?.reasoning_content === "string") {
    return { reasoning_content: continuation.reasoning_content };
  }
  return {};
}

/** By position; empty when there is nothing, or when the calls are not those that it came with. */
export function extraContentOf({ continuation, calls }: AssistantTurn): readonly JsonValue[] {
  const extras = continuation?.extra_content;
  return Array.isArray(extras) && extras.length === calls.length ? extras : [];
}

/**
 * Adds the entries of one chunk. Text that comes in pieces becomes one entry again, and a signature that comes alone joins the
 * text that it signs, because a vendor compares what comes back with what it signed.
 */
export function addDetails(details: JsonObject[], entries: readonly unknown[]): void {
  for (const entry of entries) {
    if (!isJsonObject(entry)) continue;
    const place = details.findLastIndex((earlier, nth) => continues(entry, earlier, nth === details.length - 1));
    const before = details[place];
    if (before) details[place] = joined(before, entry);
    else details.push(entry);
  }
}

function continues(entry: JsonObject, earlier: JsonObject, isLast: boolean): boolean {
  if (entry.type !== earlier.type || (entry.index ?? null) !== (earlier.index ?? null)) return false;
  if (entry.type === "reasoning.summary") return isLast && typeof entry.index === "number";
  if (entry.type !== "reasoning.text") return false;
  const isSignatureAlone = !entry.text && Boolean(entry.signature);
  return isSignatureAlone ? !earlier.signature : isLast && !earlier.signature;
}

function joined(before: JsonObject, entry: JsonObject): JsonObject {
  const known = Object.entries(entry).filter(([, value]) => value !== null && value !== "");
  return {
    ...before,
    ...Object.fromEntries(known),
    ...piece("text", before, entry),
    ...piece("summary", before, entry),
  };
}

function piece(key: "text" | "summary", before: JsonObject, entry: JsonObject): JsonObject {
  const parts = [before[key], entry[key]].filter((part) => typeof part === "string");
  return parts.length === 0 ? {} : { [key]: parts.join("") };
}
