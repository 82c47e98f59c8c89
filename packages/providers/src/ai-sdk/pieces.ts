// What a model said besides words, and where it stood in its turn: reasoning, and the metadata that its provider hung on text and
// calls (signatures, item ids). It goes back to the same model as it came; the text and the calls are in the transcript.
import { isJsonObject, type JsonObject } from "@harness/spec";

/** What a turn is made of, in order. */
export type Piece =
  | { readonly type: "reasoning"; readonly text: string; readonly metadata?: JsonObject }
  /** The next `chars` UTF-16 units of the turn's text. */
  | { readonly type: "text"; readonly chars: number; readonly metadata?: JsonObject }
  /** The next of the turn's calls. */
  | { readonly type: "call"; readonly metadata?: JsonObject };

/** Absent when nothing has to go back: no metadata, and no reasoning that led to a call. */
export function continuationData(pieces: readonly Piece[]): JsonObject | undefined {
  const hasCalls = pieces.some(({ type }) => type === "call");
  const isKept = pieces.some(({ type, metadata }) => metadata !== undefined || (hasCalls && type === "reasoning"));
  return isKept ? { pieces: pieces.map((piece) => ({ ...piece })) } : undefined;
}

/** The pieces of `data`. What is none of them is left out: a log may have been written by a later version. */
export function piecesOf(data: JsonObject | undefined): readonly Piece[] {
  return Array.isArray(data?.pieces) ? data.pieces.filter(isPiece) : [];
}

/** Metadata as a log can hold it; `undefined` for none. */
export function metadataOf(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(plain) && Object.keys(plain).length > 0 ? plain : undefined;
}

function isPiece(value: unknown): value is Piece {
  if (!isJsonObject(value)) return false;
  if (value.metadata !== undefined && !isJsonObject(value.metadata)) return false;
  switch (value.type) {
    case "reasoning":
      return typeof value.text === "string";
    case "text":
      return typeof value.chars === "number";
    default:
      return value.type === "call";
  }
}
