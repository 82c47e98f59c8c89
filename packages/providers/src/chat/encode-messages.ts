// The conversation as Chat messages. Text is a plain string wherever it can be: some models mirror an array of parts back into
// their answer.
import type { JsonObject, JsonValue } from "@harness/spec";
import type { AssistantTurn, ResultsTurn, Turn, UserTurn } from "../transcript/transcript.js";
import { wellFormed } from "../transcript/well-formed.js";
import { arrangedTurns } from "./arrange.js";
import type { CacheMarks } from "./cache-marks.js";
import { extraContentOf, replayedReasoning } from "./continuation.js";
import type { Quirks } from "./quirks.js";

export interface MessageOptions {
  readonly quirks: Required<Quirks>;
  readonly marks: CacheMarks;
}

/** Stands between results and a user message where a vendor wants something there. */
const acknowledgement: JsonObject = { role: "assistant", content: "I have read the results." };

/** A blank `system` makes no message. */
export function chatMessages(system: string, turns: readonly Turn[], options: MessageOptions): readonly JsonObject[] {
  const { quirks, marks } = options;
  const messages: JsonObject[] = system.trim() === "" ? [] : [systemMessage(system, marks)];
  let previous: Turn | undefined;
  for (const turn of arrangedTurns(turns, quirks)) {
    if (quirks.assistantAfterTool && previous?.type === "results" && turn.type === "user")
      messages.push(acknowledgement);
    messages.push(...messagesOf(turn, options));
    previous = turn;
  }
  return messages;
}

function messagesOf(turn: Turn, { quirks, marks }: MessageOptions): readonly JsonObject[] {
  switch (turn.type) {
    case "user":
      return [userMessage(turn, marks.message === turn.index)];
    case "assistant":
      return [assistantMessage(turn, quirks)];
    case "results":
      return toolMessages(turn);
    default:
      return turn satisfies never;
  }
}

function systemMessage(system: string, marks: CacheMarks): JsonObject {
  const text = wellFormed(system);
  return { role: "system", content: marks.system ? [textPart(text, true)] : text };
}

function userMessage({ text, images }: UserTurn, isMarked: boolean): JsonObject {
  if (images.length === 0 && !isMarked) return { role: "user", content: text };
  const pictures = images.map(({ mediaType, base64 }) => ({
    type: "image_url",
    image_url: { url: `data:${mediaType};base64,${base64}` },
  }));
  return { role: "user", content: [...(text === "" ? [] : [textPart(text, isMarked)]), ...pictures] };
}

function textPart(text: string, isMarked: boolean): JsonObject {
  return { type: "text", text, ...(isMarked ? { cache_control: { type: "ephemeral" } } : {}) };
}

function assistantMessage(turn: AssistantTurn, quirks: Required<Quirks>): JsonObject {
  const { text, calls } = turn;
  const extras = extraContentOf(turn);
  return {
    role: "assistant",
    content: text ?? quirks.nullContent,
    ...replayedReasoning(turn, quirks.reasoningReplay),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call, nth) => callOf(call, extras[nth])) }),
  };
}

function callOf(call: AssistantTurn["calls"][number], extra: JsonValue | undefined): JsonObject {
  return {
    id: call.id,
    type: "function",
    ...(extra ? { extra_content: extra } : {}),
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  };
}

function toolMessages({ results }: ResultsTurn): readonly JsonObject[] {
  return results.map(({ id, content }) => ({ role: "tool", tool_call_id: id, content }));
}
