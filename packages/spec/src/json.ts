// JSON as types, and the one check that decides what may enter the log as text.

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
/** A JSON Schema document, draft 2020-12 unless it says otherwise. */
export type JsonSchema = JsonObject;

/** True for a plain object, false for `null`, arrays and everything else. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Applies `change` to every string in `value`, object keys included. Returns `value` itself where nothing changed. */
export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  return walk(value, change) as Value;
}

function walk(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  const before = Array.isArray(value) ? value : Object.entries(value).flat();
  const after = before.map((item) => walk(item, change));
  if (after.every((item, index) => item === before[index])) return value;
  if (Array.isArray(value)) return after;
  const pairs = Array.from({ length: after.length / 2 }, (_, index) => [after[2 * index], after[2 * index + 1]]);
  return Object.fromEntries(pairs);
}

/** `value` as JSON with object keys sorted at every depth: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isJsonObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : item,
  );
}
