// A call's arguments, checked against the tool's own schema. What does not fit, and a schema that fails itself, is an answer to
// the model, never an exception.
import type { AnyTool, JsonObject, StandardResult } from "@harness/spec";
import { copyJson } from "../events/copy.js";
import type { ToolTable } from "./tool-table.js";

export type ParsedInput =
  | { readonly type: "parsed"; readonly tool: AnyTool; readonly input: unknown }
  | { readonly type: "invalid"; readonly text: string };

export interface AskedCall {
  readonly name: string;
  readonly arguments: JsonObject | null;
  readonly invalidArguments?: string | undefined;
}

/** Code points of unreadable arguments that the model is shown. */
const shownArguments = 200;

/** A promise only where the schema answers with one. Never throws or rejects. */
export function parseInput(tools: ToolTable, call: AskedCall): ParsedInput | Promise<ParsedInput> {
  const tool = tools.get(call.name);
  const schema = tools.schemaOf(call.name);
  if (!tool || !schema) return { type: "invalid", text: unknownTool(tools, call.name) };
  if (!call.arguments) {
    const shown = Array.from(call.invalidArguments ?? "")
      .slice(0, shownArguments)
      .join("");
    return { type: "invalid", text: `The arguments of ${call.name} are not a JSON object: ${shown}` };
  }
  const failed = (error: unknown): ParsedInput => ({
    type: "invalid",
    text: `The arguments of ${tool.name} could not be checked: ${error instanceof Error ? error.message : String(error)}`,
  });
  try {
    const checked = schema["~standard"].validate(copyJson(call.arguments));
    return checked instanceof Promise ? checked.then((result) => read(tool, result), failed) : read(tool, checked);
  } catch (error) {
    return failed(error);
  }
}

function unknownTool({ specs }: ToolTable, name: string): string {
  const known =
    specs.length === 0 ? "There are no tools." : `The tools are: ${specs.map((spec) => spec.name).join(", ")}.`;
  return `There is no tool called ${JSON.stringify(name)}. ${known}`;
}

function read(tool: AnyTool, result: StandardResult<unknown>): ParsedInput {
  if (!result.issues) return { type: "parsed", tool, input: result.value };
  const issues = result.issues.map(({ message, path = [] }) => {
    const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return place ? `${place}: ${message}` : message;
  });
  return { type: "invalid", text: `The arguments of ${tool.name} do not fit: ${issues.join("; ")}. Nothing was done.` };
}
