// Reading what a vendor sent, by hand: a stream has thousands of chunks, and a schema for each would cost more than the chunk.
// Nothing here throws, because a field of another type is a field that is not there.

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `""` for what is no text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** `undefined` for what is no count: negative, infinite, or text. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
