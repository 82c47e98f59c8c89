// The tools a run offers, looked up by name and described for the model once.
import {
  type AnyTool,
  ConfigError,
  isStandardSchema,
  type JsonSchema,
  type OfferedTool,
  type Recovery,
  type StandardSchema,
  type ToolSpec,
} from "@harness/spec";
import { z } from "zod";
import { frozenJson } from "../events/copy.js";

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

export interface ToolTable {
  get(name: string): AnyTool | undefined;
  /** What its arguments are checked with. */
  schemaOf(name: string): StandardSchema | undefined;
  /** What the model is shown. */
  readonly specs: readonly ToolSpec[];
  /** What the log is told. */
  readonly offered: readonly OfferedTool[];
}

/** Throws `ConfigError` for a name that no vendor accepts, one given twice, or a tool that does not say what it takes. */
export function toolTable(tools: readonly AnyTool[]): ToolTable {
  const byName = new Map<string, AnyTool>();
  for (const tool of tools) {
    if (!toolName.test(tool.name)) {
      throw new ConfigError(
        `The tool name ${JSON.stringify(tool.name)} was not accepted: use 1–64 letters, digits, "_" or "-".`,
      );
    }
    if (byName.has(tool.name))
      throw new ConfigError(`Two tools are called "${tool.name}". Give each a name of its own.`);
    byName.set(tool.name, tool);
  }
  const schemas = new Map(tools.map((tool) => [tool.name, schemaOf(tool)]));
  return {
    get: (name) => byName.get(name),
    schemaOf: (name) => schemas.get(name),
    specs: tools.map(({ name, description, ...tool }) => ({ name, description, parameters: parametersOf(name, tool) })),
    offered: tools.map(({ name, effect, recovery }) => ({
      name,
      effect,
      ...(typeof recovery === "function" ? {} : { recovery: recovery ?? defaultRecovery(effect) }),
    })),
  };
}

function defaultRecovery(effect: AnyTool["effect"]): Recovery {
  return effect === "read" ? "replayable" : "indeterminate";
}

/** JSON Schema forms by the schema they are of, frozen: every run that offers a tool with that schema shares its form. */
const forms = new WeakMap<StandardSchema, JsonSchema>();

function parametersOf(name: string, tool: Pick<AnyTool, "input" | "parameters">): JsonSchema {
  if (tool.parameters) return tool.parameters;
  if (!isStandardSchema(tool.input)) return tool.input;
  const form = forms.get(tool.input) ?? formOf(name, tool.input);
  forms.set(tool.input, form);
  return form;
}

function formOf(name: string, schema: StandardSchema): JsonSchema {
  const form = schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" });
  if (form) return frozenJson(form as JsonSchema);
  throw new ConfigError(
    `The tool "${name}" does not say what it takes: its schema has no JSON Schema form. Give it \`parameters\`.`,
  );
}

function schemaOf({ name, input }: AnyTool): StandardSchema {
  if (isStandardSchema(input)) return input;
  try {
    return z.fromJSONSchema(input as Parameters<typeof z.fromJSONSchema>[0]) as StandardSchema;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`The tool "${name}" has a JSON Schema that cannot be read: ${why}`, { cause });
  }
}

/** Whether this call may simply be made again after a crash. `input` is what the tool's schema returned. */
export function recoveryOf(tool: AnyTool, input: unknown): Recovery {
  if (typeof tool.recovery !== "function") return tool.recovery ?? defaultRecovery(tool.effect);
  try {
    return tool.recovery(input) === "replayable" ? "replayable" : "indeterminate";
  } catch {
    // A tool that cannot say is not made again without asking.
    return "indeterminate";
  }
}
