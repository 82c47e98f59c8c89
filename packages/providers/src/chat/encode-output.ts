// The schema of an answer as `response_format`. A vendor that is told to be strict refuses schemas that leave something open,
// so it is told so only where nothing is.
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "@harness/spec";
import { wellFormed } from "../transcript/well-formed.js";
import type { Quirks } from "./quirks.js";

export function responseFormat(output: JsonSchema, ability: Quirks["outputSchema"]): JsonObject {
  const schema = wellFormed(output);
  const strict = ability === "strict" && schema.type === "object" && isClosed(schema);
  return { type: "json_schema", json_schema: { name: "answer", schema, ...(strict ? { strict } : {}) } };
}

/** Keywords under which strict vendors read no schemas at all. */
const unread = ["allOf", "oneOf", "not", "if", "patternProperties", "dependentSchemas", "prefixItems"];

/** Whether every object in it lists all of its properties as required and allows no others. */
function isClosed(schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema) || unread.some((key) => schema[key] !== undefined)) return false;
  if (isObjectSchema(schema) && !listsAll(schema)) return false;
  const inner = [
    ...["properties", "$defs", "definitions"].flatMap((key) => valuesOf(schema[key])),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(Array.isArray(schema.anyOf) ? schema.anyOf : []),
  ];
  return inner.every(isClosed);
}

function isObjectSchema({ type, properties }: JsonSchema): boolean {
  return properties !== undefined || [type].flat().includes("object");
}

function listsAll({ properties, required, additionalProperties }: JsonSchema): boolean {
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const listed = Array.isArray(required) ? required : [];
  return additionalProperties === false && names.every((name) => listed.includes(name));
}

function valuesOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonObject(value) ? Object.values(value) : [];
}
