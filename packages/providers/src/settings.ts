// What a factory needs before it can make a provider: a key and a model, given or from the environment. A missing one is said
// with the name of the variable, at once, rather than by the vendor after a request.
import { ConfigError, type Effort } from "@harness/spec";
import type { Deadlines } from "./http/deadlines.js";

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

/** What a factory for one vendor takes. `VENDOR` stands for the vendor's name in capitals. */
export interface VendorOptions {
  /** Default: the variable `VENDOR_API_KEY`. */
  readonly apiKey?: string;
  /** The model that is asked when a request names none. Default: the variable `VENDOR_MODEL`. */
  readonly model?: string;
  /** The whole prefix in front of the path of the API. Default: the vendor's own. */
  readonly baseUrl?: string;
  /** The label in the trace. Default: the vendor's. */
  readonly name?: string;
  /** For requests that name no effort of their own. Where the API can continue reasoning from turn to turn, it then does. */
  readonly effort?: Effort;
  readonly deadlines?: Deadlines;
  /** Where variables are looked up. Default: `process.env`, when the factory is called. */
  readonly environment?: Environment;
}

/** A vendor's own side of its options. */
export interface Vendor {
  /** As the caller writes it: `openai()`. */
  readonly factory: string;
  /** What its variables begin with: `OPENAI`. */
  readonly prefix: string;
  readonly name: string;
  readonly baseUrl: string;
}

/** `options` with the vendor's defaults. Throws `ConfigError` for a key or a model that is nowhere. */
export function vendorSettings(vendor: Vendor, options: VendorOptions) {
  const { baseUrl = vendor.baseUrl, name = vendor.name, effort, deadlines = {}, environment = process.env } = options;
  const setting = (option: "apiKey" | "model", variable: string) =>
    required({ factory: vendor.factory, option, given: options[option], variable, environment });
  const key = setting("apiKey", `${vendor.prefix}_API_KEY`);
  const model = setting("model", `${vendor.prefix}_MODEL`);
  return { baseUrl, name, effort, deadlines, key, model };
}
