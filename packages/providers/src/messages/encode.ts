// A request as the body of a Messages call. Keys have one order and appear only when something is asked for, because the
// vendor's cache compares bytes and a stray key is refused.
import { type CompletionRequest, ConfigError, type Effort, type JsonObject } from "@harness/spec";
import { toolNames } from "../transcript/tool-names.js";
import { vendorTool } from "../transcript/tool-schema.js";
import { turnsOf } from "../transcript/transcript.js";
import { wellFormed } from "../transcript/well-formed.js";
import type { WireContext } from "../wire.js";
import { isThinking } from "./continuation.js";
import { cacheMark, type VendorMessage, vendorMessages } from "./encode-messages.js";
import { hasOutputSchema, isAdaptive } from "./model.js";
import { closedSchema } from "./output-schema.js";

const defaultMaxTokens = 8192;
const budgets: Readonly<Record<Effort, number>> = { low: 1024, medium: 4096, high: 16_384 };

export function encodeRequest(request: CompletionRequest, context: WireContext): JsonObject {
  const { messages: given, cacheThrough = 0, maxOutputTokens = defaultMaxTokens } = request;
  const turns = turnsOf(request, context);
  const messages = vendorMessages(turns, cacheThrough > given.length ? 0 : cacheThrough);
  const budget = budgetOf(request, context, messages);
  return {
    model: context.model,
    max_tokens: maxOutputTokens + budget,
    stream: true,
    ...systemOf(request),
    ...toolsOf(request),
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...thinkingOf(request, context, budget),
    ...outputOf(request, context),
  };
}

function systemOf({ system }: CompletionRequest): JsonObject {
  if (system.trim() === "") return {};
  return { system: [{ type: "text", text: wellFormed(system), ...cacheMark }] };
}

function toolsOf({ tools }: CompletionRequest): JsonObject {
  if (tools.length === 0) return {};
  const names = toolNames(tools);
  const told = tools.map((tool) => vendorTool(tool, names));
  return {
    tools: told.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
  };
}

/** 0 for none. An effort is an ask: a turn that another model began without thinking is finished without. */
function budgetOf({ effort }: CompletionRequest, { model }: WireContext, messages: readonly VendorMessage[]): number {
  if (!effort || isAdaptive(model) || !startsWithThinking(messages)) return 0;
  return budgets[effort];
}

/** Models with a budget refuse to think on when the last calls are not preceded by thinking. */
function startsWithThinking(messages: readonly VendorMessage[]): boolean {
  const { content = [] } = messages.findLast(({ role }) => role === "assistant") ?? {};
  const hasCalls = content.some(({ type }) => type === "tool_use");
  return !hasCalls || isThinking(content[0] ?? {});
}

function thinkingOf({ effort }: CompletionRequest, { model }: WireContext, budget: number): JsonObject {
  if (budget > 0) return { thinking: { type: "enabled", budget_tokens: budget } };
  return effort && isAdaptive(model) ? { thinking: { type: "adaptive" } } : {};
}

function outputOf({ effort, output }: CompletionRequest, { provider, model }: WireContext): JsonObject {
  if (output && !hasOutputSchema(model)) {
    throw new ConfigError(
      `Could not ask ${provider} for JSON: the model ${model} does not hold its answer to a schema. Nothing was sent. Use Claude 4.5 or later, or ask for the form in words.`,
      { path: ["output"] },
    );
  }
  const config: JsonObject = {
    ...(effort && isAdaptive(model) ? { effort } : {}),
    ...(output ? { format: { type: "json_schema", schema: closedSchema(output) } } : {}),
  };
  return Object.keys(config).length > 0 ? { output_config: config } : {};
}
