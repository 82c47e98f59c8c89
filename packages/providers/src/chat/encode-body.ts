// A request as the body of a Chat completion. Keys stand in one order, and what was not asked for is not there: vendors answer
// an unknown key with status 400, and their caches compare bytes.
import { type CompletionRequest, ConfigError, type Effort, type JsonObject } from "@harness/spec";
import { toolNames } from "../transcript/tool-names.js";
import { vendorTool } from "../transcript/tool-schema.js";
import { type Turn, turnsOf } from "../transcript/transcript.js";
import type { WireContext } from "../wire.js";
import { cacheMarks } from "./cache-marks.js";
import { chatMessages } from "./encode-messages.js";
import { responseFormat } from "./encode-output.js";
import type { Quirks } from "./quirks.js";

export interface BodyOptions {
  readonly quirks: Required<Quirks>;
  readonly effort: Effort | undefined;
  readonly extra: JsonObject;
}

/** Throws `ConfigError`, with nothing sent, for what the vendor cannot be asked. */
export function chatBody(request: CompletionRequest, context: WireContext, options: BodyOptions): JsonObject {
  const { quirks, extra } = options;
  checkAbilities(request, context.provider, quirks);
  const turns = turnsOf(request, context);
  const marks = quirks.cacheMarks ? cacheMarks(turns, request) : {};
  return {
    model: context.model,
    messages: chatMessages(request.system, turns, { quirks, marks }),
    ...tools(request, turns, quirks),
    stream: true,
    ...(quirks.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...(request.maxOutputTokens === undefined ? {} : { [quirks.maxTokensField]: request.maxOutputTokens }),
    ...effortKey(request.effort ?? options.effort, quirks.effort),
    ...(request.output ? { response_format: responseFormat(request.output, quirks.outputSchema) } : {}),
    ...extra,
  };
}

function checkAbilities(request: CompletionRequest, provider: string, quirks: Required<Quirks>): void {
  const hasImages = request.messages.some((message) => message.role === "user" && (message.images?.length ?? 0) > 0);
  if (hasImages && !quirks.images) throw refusal(provider, "it reads no images", ["messages"]);
  if (request.tools.length > 0 && !quirks.tools) throw refusal(provider, "it cannot call tools", ["tools"]);
  if (request.output && quirks.outputSchema === "none") {
    throw refusal(provider, "it cannot hold an answer to a JSON schema", ["output"]);
  }
}

function refusal(provider: string, reason: string, path: readonly string[]): ConfigError {
  return new ConfigError(
    `Could not ask ${provider} for a completion: ${reason}. Nothing was sent. Leave it out of the request, or ask another provider.`,
    { path },
  );
}

/** An empty list is an error to most vendors; a few want one when the conversation has calls. */
function tools(request: CompletionRequest, turns: readonly Turn[], quirks: Required<Quirks>): JsonObject {
  if (request.tools.length === 0) {
    const hasCalls = turns.some((turn) => turn.type === "results");
    return quirks.toolsWithHistory && hasCalls ? { tools: [] } : {};
  }
  const names = toolNames(request.tools);
  return {
    tools: request.tools.map((tool) => {
      const { name, description, parameters } = vendorTool(tool, names);
      return { type: "function", function: { name, description, parameters } };
    }),
  };
}

function effortKey(effort: Effort | undefined, style: Required<Quirks>["effort"]): JsonObject {
  if (effort === undefined) return {};
  switch (style) {
    case "reasoning_effort":
      return { reasoning_effort: effort };
    case "reasoning":
      return { reasoning: { effort } };
    case "enable_thinking":
      return { enable_thinking: true };
    case "none":
      return {};
    default:
      return style satisfies never;
  }
}
