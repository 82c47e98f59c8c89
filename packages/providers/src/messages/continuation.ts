// Signed thinking, and where it stood in its turn. A model that is sent its own tool calls without the thinking that led to them
// refuses, and so it does when a block was changed or moved; the text and the calls themselves are in the transcript.
import { isJsonObject, type JsonObject } from "@harness/spec";

/** What a turn is made of, in order. */
export type Piece =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  /** The next `chars` UTF-16 units of the turn's text. */
  | { readonly type: "text"; readonly chars: number }
  /** The next of the turn's calls. */
  | { readonly type: "call" };

/** Absent when there is nothing that only the model can read. */
export function continuationData(pieces: readonly Piece[]): JsonObject | undefined {
  return pieces.some(isThinking) ? { pieces: pieces.map((piece) => ({ ...piece })) } : undefined;
}

/** The pieces of `data`. What is none of them is left out: a log may have been written by a later version. */
export function piecesOf(data: JsonObject): readonly Piece[] {
  return Array.isArray(data.pieces) ? data.pieces.filter(isPiece) : [];
}

/** Such a block can be neither marked for the cache nor last in its message. */
export function isThinking({ type }: { readonly type?: unknown }): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function isPiece(value: unknown): value is Piece {
  if (!isJsonObject(value)) return false;
  switch (value.type) {
    case "thinking":
      return typeof value.thinking === "string" && typeof value.signature === "string";
    case "redacted_thinking":
      return typeof value.data === "string";
    case "text":
      return typeof value.chars === "number";
    default:
      return value.type === "call";
  }
}
