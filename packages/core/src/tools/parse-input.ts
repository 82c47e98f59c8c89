// A call's arguments, checked against the tool's own schema. What does not fit is an answer to the model, never an exception.
import {
  type AnyTool,
  isStandardSchema,
  type JsonObject,
  type JsonSchema,
  type StandardResult,
  type StandardSchema,
  type ToolSpec,
} from "@harness/spec";
import { z } from "zod";

export type ParsedInput =
  | { readonly type: "parsed"; readonly input: unknown }
  | { readonly type: "invalid"; readonly text: string };

/** Code points of unreadable arguments that the model is shown. */
const shownArguments = 200;

/** JSON Schemas compiled so far. Holds no value, only what a schema object always compiles to. */
const compiled = new WeakMap<JsonSchema, StandardSchema>();

export function parseInput(
  tool: AnyTool | undefined,
  call: {
    readonly name: string;
    readonly arguments: JsonObject | null;
    readonly invalidArguments?: string | undefined;
  },
  known: readonly ToolSpec[],
): ParsedInput | Promise<ParsedInput> {
  if (!tool) {
    const names =
      known.length === 0 ? "There are no tools." : `The tools are: ${known.map(({ name }) => name).join(", ")}.`;
    return { type: "invalid", text: `There is no tool called ${JSON.stringify(call.name)}. ${names}` };
  }
  if (call.arguments === null) {
    const shown = Array.from(call.invalidArguments ?? "")
      .slice(0, shownArguments)
      .join("");
    return { type: "invalid", text: `The arguments of ${call.name} are not a JSON object: ${shown}` };
  }
  const checked = schemaOf(tool)["~standard"].validate(call.arguments);
  return checked instanceof Promise ? checked.then((result) => read(tool.name, result)) : read(tool.name, checked);
}

function schemaOf(tool: AnyTool): StandardSchema {
  const { input } = tool;
  if (isStandardSchema(input)) return input;
  let schema = compiled.get(input);
  if (!schema) {
    schema = z.fromJSONSchema(input as Parameters<typeof z.fromJSONSchema>[0]) as StandardSchema;
    compiled.set(input, schema);
  }
  return schema;
}

function read(name: string, result: StandardResult<unknown>): ParsedInput {
  if (result.issues === undefined) return { type: "parsed", input: result.value };
  const issues = result.issues.map(({ message, path = [] }) => {
    const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return place ? `${place}: ${message}` : message;
  });
  return { type: "invalid", text: `The arguments of ${name} do not fit: ${issues.join("; ")}. Nothing was done.` };
}
