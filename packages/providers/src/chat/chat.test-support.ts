// Requests and streams as the tests of this folder put them.
import type { CallId, CompletionRequest, Delta, JsonObject, Message, ToolCall, ToolSpec } from "@harness/spec";
import type { Decoded } from "../wire.js";
import { chatWire } from "./chat-wire.js";
import type { Quirks } from "./quirks.js";

export const context = { provider: "vendor", model: "model-1" };

export function requestOf(request: Partial<CompletionRequest> = {}): CompletionRequest {
  return { system: "Be brief.", messages: [user("Hello.")], tools: [], ...request };
}

export function user(text: string): Message {
  return { role: "user", text };
}

export function callOf(id: string, name: string, input: JsonObject, vendorId?: string): ToolCall {
  return { id: id as CallId, name, arguments: input, ...(vendorId === undefined ? {} : { vendorId }) };
}

export function resultsOf(...results: readonly (readonly [id: string, content: string])[]): Message {
  return { role: "results", results: results.map(([id, content]) => ({ call: id as CallId, content })) };
}

export const readFile: ToolSpec = {
  name: "read_file",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

/** The messages that are sent of `messages`, without the system text. */
export function sentMessages(messages: readonly Message[], quirks: Quirks = {}, model = context.model): unknown {
  const body = chatWire({ quirks }).encode(requestOf({ system: "", messages }), { ...context, model });
  return body.messages;
}

export interface Decoding {
  readonly completion: Decoded;
  readonly deltas: readonly Delta[];
}

/** What a stream of `payloads` comes to; objects are sent as JSON. */
export function decoded(payloads: readonly (string | JsonObject)[], quirks: Quirks = {}): Decoding {
  const deltas: Delta[] = [];
  const request = requestOf({ tools: [readFile] });
  const decoder = chatWire({ quirks }).decoder({ ...context, request, onDelta: (delta) => deltas.push(delta) });
  for (const payload of payloads) decoder.push(typeof payload === "string" ? payload : JSON.stringify(payload));
  return { completion: decoder.end(), deltas };
}

/** One chunk whose choice has this delta, and `beside` it these keys. */
export function chunk(delta: JsonObject, beside: JsonObject = {}): JsonObject {
  return { choices: [{ index: 0, delta, ...beside }] };
}

/** One chunk with fragments of calls. */
export function fragments(...calls: readonly JsonObject[]): JsonObject {
  return chunk({ tool_calls: calls });
}

export const finished = chunk({}, { finish_reason: "stop" });
