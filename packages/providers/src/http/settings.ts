// What a factory needs before it can make a provider: a key and a model, given or from the environment. A missing one is said
// with the name of the variable, at once, rather than by the vendor after a request.
import { ConfigError } from "@harness/spec";

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setting {
  /** As the caller writes it: `openai()`. */
  readonly factory: string;
  /** The option that gives it. */
  readonly option: "apiKey" | "model";
  readonly given: string | undefined;
  /** The variable that is meant to hold it. */
  readonly variable?: string | undefined;
  /** Where that variable is looked up, when nothing was given. Absent: nowhere. */
  readonly environment?: Environment;
}

/** Throws `ConfigError` when it is neither given nor in the environment. White space around it is dropped. */
export function required({ factory, option, given, variable, environment }: Setting): string {
  const fallback = variable === undefined ? undefined : environment?.[variable];
  const found = given?.trim() || fallback?.trim();
  if (found) return found;
  throw new ConfigError(
    `Could not set up ${factory}: it has no ${option === "apiKey" ? "key" : "model"}. Nothing was sent. ${remedy(option, variable, environment)}`,
    { path: [option] },
  );
}

function remedy(option: string, variable: string | undefined, environment: Environment | undefined): string {
  if (variable === undefined) return `Pass ${option}.`;
  return environment
    ? `Set ${variable}, or pass ${option}.`
    : `Pass ${option}, or fromEnv: true to have it read from ${variable}.`;
}
