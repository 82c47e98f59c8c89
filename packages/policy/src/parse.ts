// Policy JSON at the door. Everything unknown is an error that names its place, because a misspelt rule that is passed over
// looks like protection. The one thing that may be left out is `defaults.net`, and leaving it out means no network.
import { ConfigError, type JsonSchema, type PolicyData } from "@harness/spec";
import { z } from "zod";
import { unnameable } from "./form.js";
import { patternProblem } from "./patterns.js";
import { frozen } from "./policy-data.js";
import { actTypes, advice, effects } from "./vocabulary.js";

const effect = z.enum(effects);

const text = z.string().superRefine((value, context) => {
  const problem = unnameable(value);
  if (problem !== undefined) context.addIssue({ code: "custom", message: `cannot be used: ${problem}.` });
});

const rule = z
  .strictObject({ act: z.enum(actTypes), effect, pattern: z.string() })
  .superRefine(({ act, pattern }, context) => {
    const problem = patternProblem(act, pattern);
    if (problem !== undefined) context.addIssue({ code: "custom", path: ["pattern"], message: `is wrong. ${problem}` });
  });

const layer = z.strictObject({ name: text.min(1), rules: z.array(rule) });

const defaults = z.strictObject({ read: effect, write: effect, exec: effect, net: effect.default("deny") });

const policy = z.strictObject({ layers: z.array(layer), defaults }) satisfies z.ZodType<PolicyData>;

/**
 * A policy from JSON, frozen. Throws `ConfigError` with the `path` of the first mistake and a message that names the
 * place and says what to write: unknown keys, acts and effects, missing parts, and patterns that could never match.
 */
export function parsePolicy(value: unknown): PolicyData {
  const result = policy.safeParse(value);
  if (result.success) return frozen(result.data);
  // An unknown key explains what is missing elsewhere better than the other way round.
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  throw issue === undefined ? new ConfigError("The policy cannot be read.") : problem(issue, value);
}

/** The JSON Schema of a policy, draft 2020-12. Patterns are checked further than it can say. */
export function policyJsonSchema(): JsonSchema {
  return z.toJSONSchema(policy, { io: "input" }) as JsonSchema;
}

function problem(issue: z.core.$ZodIssue, input: unknown): ConfigError {
  const at = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  const [key] = issue.code === "unrecognized_keys" ? issue.keys : [];
  const path = key === undefined ? at : [...at, key];
  return new ConfigError(`The policy cannot be used: ${place(path)} ${says(issue, at, valueAt(input, issue.path))}`, {
    path,
  });
}

function says(issue: z.core.$ZodIssue, at: readonly (string | number)[], found: unknown): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return `is no part of a policy. ${advice(issue.keys[0] ?? "", keysAt(at))}`;
    case "invalid_value":
      return `${is(found)}. ${advice(typeof found === "string" ? found : "", issue.values.map(String))}`;
    case "invalid_type":
      return `${is(found)}. It must be ${kinds[issue.expected] ?? issue.expected}.`;
    case "too_small":
      return "is empty. Give it a name.";
    default:
      return issue.message;
  }
}

const kinds: Readonly<Record<string, string>> = { object: "an object", array: "a list", string: "text" };

function is(found: unknown): string {
  if (found === undefined) return "is missing";
  if (typeof found === "string") return `is ${JSON.stringify(found)}`;
  return found === null ? "is null" : `is ${Array.isArray(found) ? "a list" : `of type ${typeof found}`}`;
}

/** The keys that may stand at a place, by how deep it is. */
function keysAt(at: readonly (string | number)[]): readonly string[] {
  if (at.length === 0) return ["layers", "defaults"];
  if (at[0] === "defaults") return actTypes;
  return at.length === 2 ? ["name", "rules"] : ["act", "effect", "pattern"];
}

function place(path: readonly (string | number)[]): string {
  if (path.length === 0) return "the whole of it";
  return path.reduce<string>((shown, key) => {
    if (typeof key === "number") return `${shown}[${key}]`;
    return /^\w+$/.test(key) ? `${shown}${shown && "."}${key}` : `${shown}[${JSON.stringify(key)}]`;
  }, "");
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);
}
