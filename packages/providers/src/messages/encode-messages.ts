// Turns as the alternating messages of this API. Neighbours of one role are merged, so all results of a turn, and what the user
// says after them, are in one message, results first.
import type { Image, JsonObject } from "@harness/spec";
import type { ResultsTurn, Turn, UserTurn } from "../transcript/transcript.js";
import { assistantBlocks, textBlock } from "./assistant-blocks.js";
import { isThinking } from "./continuation.js";

export interface VendorMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly JsonObject[];
}

/** The end of a prefix that the vendor may keep. */
export const cacheMark: JsonObject = { cache_control: { type: "ephemeral" } };

/** `cacheThrough` counts messages of the request, as there. */
export function vendorMessages(turns: readonly Turn[], cacheThrough = 0): readonly VendorMessage[] {
  const marked = turns.findLast(({ index }) => index < cacheThrough);
  const messages: { readonly role: VendorMessage["role"]; readonly content: JsonObject[] }[] = [];
  for (const turn of turns) {
    const role = turn.type === "assistant" ? "assistant" : "user";
    const isPrefill = role === "assistant" && turn === turns.at(-1);
    const blocks = isPrefill ? trimmedEnd(blocksOf(turn)) : blocksOf(turn);
    const content = turn === marked ? withMark(turn, blocks) : blocks;
    const previous = messages.at(-1);
    if (previous?.role === role) previous.content.push(...content);
    else messages.push({ role, content: [...content] });
  }
  return messages;
}

function blocksOf(turn: Turn): readonly JsonObject[] {
  switch (turn.type) {
    case "user":
      return userBlocks(turn);
    case "assistant":
      return assistantBlocks(turn);
    case "results":
      return resultBlocks(turn);
    default:
      return turn satisfies never;
  }
}

function userBlocks({ text, images }: UserTurn): readonly JsonObject[] {
  return [...images.map(imageBlock), ...textBlock(text)];
}

function imageBlock({ mediaType, base64 }: Image): JsonObject {
  return { type: "image", source: { type: "base64", media_type: mediaType, data: base64 } };
}

function resultBlocks({ results }: ResultsTurn): readonly JsonObject[] {
  return results.map(({ id, content, isError }) => ({
    type: "tool_result",
    tool_use_id: id,
    content,
    ...(isError ? { is_error: true } : {}),
  }));
}

/** White space at the very end of what the model is to go on from is refused. */
function trimmedEnd(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.at(-1);
  return typeof last?.text === "string" ? [...blocks.slice(0, -1), { ...last, text: last.text.trimEnd() }] : blocks;
}

/** Images belong to one turn, and a prefix that ends behind them would be paid for and never read. */
function withMark(turn: Turn, blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.at(-1);
  if (!last || isThinking(last) || (turn.type === "user" && turn.images.length > 0)) return blocks;
  return [...blocks.slice(0, -1), { ...last, ...cacheMark }];
}
