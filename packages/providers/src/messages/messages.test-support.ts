// Requests, streams and what they become, for the tests of this wire.
import type { CompletionRequest, Delta, JsonObject, ToolSpec } from "@harness/spec";
import type { Decoded, Decoder } from "../wire.js";
import { messagesWire } from "./wire.js";

const wire = messagesWire();

export const tools: readonly ToolSpec[] = [
  {
    name: "read_file",
    description: "Reads a file.",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
  { name: "files.list", description: "Lists files.", parameters: { type: "object" } },
];

export function request(more: Partial<CompletionRequest> = {}): CompletionRequest {
  return { system: "Be brief.", messages: [{ role: "user", text: "Go." }], tools: [], ...more };
}

export function encoded(given: CompletionRequest, model = "claude-sonnet-4-5", provider = "anthropic"): JsonObject {
  return wire.encode(given, { provider, model });
}

/** A decoder, and the deltas it reports. */
export function decoding(model = "claude-sonnet-4-5"): { readonly decoder: Decoder; readonly deltas: Delta[] } {
  const deltas: Delta[] = [];
  const decoder = wire.decoder({
    provider: "anthropic",
    model,
    request: request({ tools }),
    onDelta: (delta) => deltas.push(delta),
  });
  return { decoder, deltas };
}

/** What `events` come to. A string is a payload as it stands. */
export function decoded(events: readonly (JsonObject | string)[], model?: string): Decoded {
  const { decoder } = decoding(model);
  for (const event of events) decoder.push(typeof event === "string" ? event : JSON.stringify(event));
  return decoder.end();
}

export const started = (message: JsonObject = {}): JsonObject => ({
  type: "message_start",
  message: { id: "msg_1", model: "claude-sonnet-4-5-20250929", content: [], usage: { input_tokens: 3 }, ...message },
});

export const block = (index: number, content_block: JsonObject): JsonObject => ({
  type: "content_block_start",
  index,
  content_block,
});

const fragment = (index: number, delta: JsonObject): JsonObject => ({
  type: "content_block_delta",
  index,
  delta,
});

export const text = (index: number, words: string) => fragment(index, { type: "text_delta", text: words });
export const json = (index: number, part: string) => fragment(index, { type: "input_json_delta", partial_json: part });
export const thought = (index: number, words: string) => fragment(index, { type: "thinking_delta", thinking: words });
export const signed = (index: number, signature: string) => fragment(index, { type: "signature_delta", signature });

export const called = (index: number, name: string, more: JsonObject = {}): JsonObject =>
  block(index, { type: "tool_use", id: `toolu_${index}`, name, input: {}, ...more });

export const stopped = (stop_reason: string, usage: JsonObject = { output_tokens: 5 }): JsonObject => ({
  type: "message_delta",
  delta: { stop_reason },
  usage,
});

export const ended: JsonObject = { type: "message_stop" };
