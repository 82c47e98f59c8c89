// A request as the AI SDK puts it. One prompt serves all versions, but for how a picture is given.
import { type CompletionRequest, ConfigError, type Image, type JsonObject } from "@harness/spec";
import { toolNames } from "../transcript/tool-names.js";
import { vendorTool } from "../transcript/tool-schema.js";
import { type AssistantTurn, type ResultsTurn, type Turn, turnsOf, type UserTurn } from "../transcript/transcript.js";
import { wellFormed } from "../transcript/well-formed.js";
import type { WireContext } from "../wire.js";
import type { AiSdkCall, AiSdkVersion } from "./model.js";
import { type Piece, piecesOf } from "./pieces.js";

export interface CallContext extends WireContext {
  readonly version: AiSdkVersion;
  /** Handed through as it is. */
  readonly providerOptions: JsonObject | undefined;
}

/** Throws `ConfigError` for a transcript that no vendor takes, and for a model other than the one that there is. */
export function callOf(request: CompletionRequest, context: CallContext): AiSdkCall {
  const { version, model, providerOptions } = context;
  if (request.model !== undefined && request.model !== model) throw otherModel(request.model, context);
  const { system, maxOutputTokens, output, effort } = request;
  const prompt = turnsOf(request, context).map((turn) => messageOf(turn, version));
  const tools = toolsOf(request);
  return {
    prompt: system.trim() === "" ? prompt : [{ role: "system", content: wellFormed(system) }, ...prompt],
    ...(tools.length > 0 && { tools }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(output && { responseFormat: { type: "json", schema: output } }),
    ...(effort && version === "v4" && { reasoning: effort }),
    ...(providerOptions && { providerOptions }),
  };
}

function toolsOf({ tools }: CompletionRequest): unknown[] {
  const names = toolNames(tools);
  return tools.map((tool) => {
    const { name, description, parameters } = vendorTool(tool, names);
    return { type: "function", name, description, inputSchema: parameters };
  });
}

function messageOf(turn: Turn, version: AiSdkVersion): unknown {
  switch (turn.type) {
    case "user":
      return { role: "user", content: userParts(turn, version) };
    case "assistant":
      return { role: "assistant", content: assistantParts(turn) };
    case "results":
      return { role: "tool", content: resultParts(turn) };
    default:
      return turn satisfies never;
  }
}

function userParts({ text, images }: UserTurn, version: AiSdkVersion): readonly unknown[] {
  const words = text.trim() === "" ? [] : [{ type: "text", text }];
  return [...words, ...images.map((image) => picture(image, version))];
}

function picture({ mediaType, base64 }: Image, version: AiSdkVersion): unknown {
  return { type: "file", mediaType, data: version === "v4" ? { type: "data", data: base64 } : base64 };
}

function resultParts({ results }: ResultsTurn): readonly unknown[] {
  return results.map(({ id, name, content, isError }) => ({
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    output: { type: isError ? "error-text" : "text", value: content },
  }));
}

function assistantParts({ text, calls, continuation }: AssistantTurn): readonly unknown[] {
  const pieces = piecesOf(continuation);
  // Pieces that do not cover the turn would lose a part of it.
  const isWhole = pieces.filter(({ type }) => type === "call").length === calls.length;
  return partsOf(isWhole && pieces.length > 0 ? pieces : usualPieces(text, calls.length), text ?? "", calls);
}

function usualPieces(text: string | null, calls: number): readonly Piece[] {
  return [
    ...(text === null ? [] : [{ type: "text", chars: text.length } as const]),
    ...Array.from({ length: calls }, () => ({ type: "call" }) as const),
  ];
}

function partsOf(pieces: readonly Piece[], text: string, calls: AssistantTurn["calls"]): readonly unknown[] {
  let [from, nth] = [0, 0];
  const lastText = pieces.findLastIndex(({ type }) => type === "text");
  return pieces.flatMap((piece, index): unknown => {
    const options = piece.metadata && { providerOptions: piece.metadata };
    if (piece.type === "reasoning") return { type: "reasoning", text: piece.text, ...options };
    if (piece.type === "call") {
      const call = calls[nth++];
      return { type: "tool-call", toolCallId: call?.id, toolName: call?.name, input: call?.arguments, ...options };
    }
    const slice = text.slice(from, index === lastText ? undefined : from + piece.chars);
    from += slice.length;
    return slice === "" ? [] : { type: "text", text: slice, ...options };
  });
}

function otherModel(asked: string, { provider, model }: WireContext): ConfigError {
  return new ConfigError(
    `Could not ask ${provider} for the model ${JSON.stringify(asked)}: an AI SDK model is one model, and this one is ${JSON.stringify(model)}. Nothing was sent. Make a provider for each model.`,
    { path: ["model"] },
  );
}
