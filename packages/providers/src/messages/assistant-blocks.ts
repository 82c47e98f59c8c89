// An assistant's turn as content blocks. Without thinking they are its text and its calls; with it, every piece goes back to
// where it stood.
import type { JsonObject } from "@harness/spec";
import type { AssistantTurn, VendorCall } from "../transcript/transcript.js";
import { wellFormed } from "../transcript/well-formed.js";
import { isThinking, type Piece, piecesOf } from "./continuation.js";

export function assistantBlocks({ text, calls, continuation }: AssistantTurn): readonly JsonObject[] {
  const pieces = continuation ? piecesOf(continuation) : [];
  return pieces.length > 0 ? placed(pieces, text ?? "", calls) : [...textBlock(text ?? ""), ...calls.map(toolUse)];
}

/** None for blank text, which is refused. */
export function textBlock(text: string): readonly JsonObject[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function placed(pieces: readonly Piece[], text: string, calls: readonly VendorCall[]): readonly JsonObject[] {
  const texts = slices(text, pieces);
  const rest = [...calls];
  const blocks = pieces.flatMap((piece): readonly JsonObject[] => {
    switch (piece.type) {
      case "text":
        return textBlock(texts.shift() ?? "");
      case "call":
        return rest.splice(0, 1).map(toolUse);
      default:
        return [{ ...piece }];
    }
  });
  // What no piece claims is sent all the same: a result waits for its call.
  const whole = [...blocks, ...texts.flatMap(textBlock), ...rest.map(toolUse)];
  return whole.slice(0, whole.findLastIndex((block) => !isThinking(block)) + 1);
}

/** The text of each piece. Where it has not their length any more, because a secret in it was replaced, it stays in one. */
function slices(text: string, pieces: readonly Piece[]): string[] {
  const lengths = pieces.flatMap((piece) => (piece.type === "text" ? [piece.chars] : []));
  if (lengths.reduce((sum, chars) => sum + chars, 0) !== text.length) return [text];
  let end = 0;
  return lengths.map((chars) => {
    end += chars;
    return wellFormed(text.slice(end - chars, end));
  });
}

function toolUse({ id, name, arguments: input }: VendorCall): JsonObject {
  return { type: "tool_use", id, name, input };
}
