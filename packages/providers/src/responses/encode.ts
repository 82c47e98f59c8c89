// A request as the body of the Responses API. Keys that nobody asked for are absent, because one that a vendor does not know is a
// refusal, and their order is fixed, because prompt caches compare bytes.
import type { CompletionRequest, Effort, JsonObject, JsonSchema } from "@harness/spec";
import { responseFormat } from "../chat/encode-output.js";
import { toolNames } from "../transcript/tool-names.js";
import { vendorTool } from "../transcript/tool-schema.js";
import { type Turn, turnsOf, type UserTurn } from "../transcript/transcript.js";
import { wellFormed } from "../transcript/well-formed.js";
import type { WireContext } from "../wire.js";
import { assistantItems } from "./continuation.js";

export interface ResponsesContext extends WireContext {
  readonly effort: Effort | undefined;
}

/** Throws `ConfigError` for a conversation that no vendor takes. */
export function encodeResponses(request: CompletionRequest, context: ResponsesContext): JsonObject {
  const { system, maxOutputTokens, output } = request;
  const { effort } = context;
  const input = turnsOf(request, context).flatMap(itemsOf);
  const tools = toolsOf(request);
  return {
    model: context.model,
    ...(system.trim() !== "" && { instructions: wellFormed(system) }),
    input,
    ...(tools.length > 0 && { tools }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    // Nothing is stored at the vendor, so its reasoning travels with the conversation, in a form that only it can read.
    ...(effort !== undefined && { reasoning: { effort, summary: "auto" }, include: ["reasoning.encrypted_content"] }),
    ...(output !== undefined && { text: { format: formatOf(output) } }),
    store: false,
    stream: true,
  };
}

function itemsOf(turn: Turn): readonly JsonObject[] {
  switch (turn.type) {
    case "user":
      return [{ role: "user", content: contentOf(turn) }];
    case "assistant":
      return assistantItems(turn);
    case "results":
      return turn.results.map(({ id, content }) => ({ type: "function_call_output", call_id: id, output: content }));
    default:
      return turn satisfies never;
  }
}

function contentOf({ text, images }: UserTurn): readonly JsonObject[] {
  const pictures = images.map(({ mediaType, base64 }) => ({
    type: "input_image",
    image_url: `data:${mediaType};base64,${base64}`,
    detail: "auto",
  }));
  return text.trim() === "" ? pictures : [{ type: "input_text", text }, ...pictures];
}

/** `strict` is said, because it defaults to true here and would refuse most schemas. */
function toolsOf({ tools }: CompletionRequest): readonly JsonObject[] {
  const names = toolNames(tools);
  return tools.map((tool) => {
    const { name, description, parameters } = vendorTool(tool, names);
    return { type: "function", name, description, parameters, strict: false };
  });
}

/** The same as on Chat, with its keys one level higher. */
function formatOf(schema: JsonSchema): JsonObject {
  const { json_schema } = responseFormat(schema, "strict");
  return { type: "json_schema", strict: false, ...(json_schema as JsonObject) };
}
