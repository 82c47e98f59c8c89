// The schema of an answer. This vendor takes it only where no object is open to further properties; closing them asks for less
// than was given, so what comes back fits both.
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "@harness/spec";
import { wellFormed } from "../transcript/well-formed.js";

const named = ["properties", "$defs", "definitions"];
const listed = ["anyOf", "allOf", "oneOf"];

/** `output` with every object in it closed, and without `$schema` and `$id` at its root. */
export function closedSchema({ $schema: _, $id: __, ...output }: JsonSchema): JsonSchema {
  return closed(wellFormed(output));
}

function closed(schema: JsonObject): JsonObject {
  const inner = Object.entries(schema).map(([key, value]) => [key, closedAt(key, value)]);
  return { ...Object.fromEntries(inner), ...(isOpen(schema) ? { additionalProperties: false } : {}) };
}

/** What stands under other keywords is no schema: an `enum` may hold anything. */
function closedAt(key: string, value: JsonValue): JsonValue {
  if (named.includes(key) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, closedValue(schema)]));
  }
  if (listed.includes(key) && Array.isArray(value)) return value.map(closedValue);
  return key === "items" ? closedValue(value) : value;
}

function closedValue(value: JsonValue): JsonValue {
  return isJsonObject(value) ? closed(value) : value;
}

function isOpen({ type, properties }: JsonObject): boolean {
  return properties !== undefined || [type].flat().includes("object");
}
