// What is handed to somebody else's code is a copy: state shares its objects with the log's future, and a tool, an approver or
// an observer that changes what it was given must change nothing else.
import type { JsonObject, JsonValue } from "@harness/spec";

/** A deep copy. Plain recursion, because calls have small arguments and `structuredClone` costs microseconds for any. */
export function copyJson<Value extends JsonValue | JsonObject>(value: Value): Value {
  return copy(value) as Value;
}

/** A deep copy that nobody can change, for what many share. */
export function frozenJson<Value extends JsonValue | JsonObject>(value: Value): Value {
  const copied = copyJson(value);
  freeze(copied);
  return copied;
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) freeze(item);
  Object.freeze(value);
}

function copy(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  // A spread takes over a key called `__proto__` as a key; only what is nested has to be copied one by one.
  const copied: Record<string, JsonValue> = { ...(value as JsonObject) };
  for (const key of Object.keys(copied)) {
    const item = copied[key];
    if (typeof item === "object" && item !== null) copied[key] = copy(item);
  }
  return copied;
}
