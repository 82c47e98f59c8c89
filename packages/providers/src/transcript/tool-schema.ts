// What every vendor asks of a tool's schema. Beyond that floor it is sent as it was given: rewriting more would hide from the
// author what the vendor thinks of it.
import { ConfigError, isJsonObject, type JsonSchema, type ToolSpec } from "@harness/spec";
import type { ToolNames } from "./tool-names.js";
import { wellFormed } from "./well-formed.js";

const alternatives = ["anyOf", "oneOf", "allOf"];
const dropped: ReadonlySet<string> = new Set(["$schema", "$id"]);

/**
 * `schema` with a root of type `object` that has `properties`, and without `$schema` and `$id`. Throws `ConfigError` for a root
 * that is something else or a choice.
 */
export function vendorSchema(schema: JsonSchema, toolName: string): JsonSchema {
  const choice = alternatives.find((key) => schema[key] !== undefined);
  if (choice) throw refusal(toolName, `has "${choice}" at its root`);
  if (schema.type !== undefined && schema.type !== "object") {
    throw refusal(toolName, `is of type ${JSON.stringify(schema.type)}`);
  }
  if (schema.properties !== undefined && !isJsonObject(schema.properties)) {
    throw refusal(toolName, "has properties that are not an object");
  }
  const kept = Object.entries(schema).filter(([key]) => !dropped.has(key));
  const whole = Object.fromEntries([["type", "object"], ["properties", {}], ...kept]) as JsonSchema;
  return wellFormed(whole);
}

/** A tool as vendors are told of it, to be put into the shape that each wants. */
export function vendorTool({ name, description, parameters }: ToolSpec, names: ToolNames): ToolSpec {
  return {
    name: names.toVendor(name),
    description: wellFormed(description),
    parameters: vendorSchema(parameters, name),
  };
}

function refusal(toolName: string, problem: string): ConfigError {
  return new ConfigError(
    `Could not offer the tool "${toolName}": its schema ${problem}. Nothing was sent. Describe its arguments as one object with properties.`,
    { path: ["tools", toolName, "parameters"] },
  );
}
