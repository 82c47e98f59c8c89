// Any endpoint that speaks the Chat API. A preset gives address, auth and quirks; every one of them can be given instead.
import { ConfigError, type Effort, type Provider } from "@harness/spec";
import { chatProvider } from "../chat/chat-provider.js";
import type { Quirks } from "../chat/quirks.js";
import type { Deadlines } from "../http/http-provider.js";
import { type Environment, required } from "../settings.js";
import { type Auth, isPresetName, type Preset, type PresetName, presets } from "./presets.js";

export interface CompatibleOptions {
  /** Where address, auth and quirks come from, as far as they are not given. One of `presets`. */
  readonly preset?: PresetName;
  /** The whole prefix in front of `/chat/completions`, as the vendor documents it. Default: the preset's. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** How the key travels. Default: the preset's; `bearer` where a key is given, and `none` otherwise. */
  readonly auth?: Auth;
  /** The model that is asked when a request names none. */
  readonly model: string;
  /** The label in the trace. Default: the preset's name, else `compatible`. */
  readonly name?: string;
  /** Over those of the preset, each for itself. */
  readonly quirks?: Quirks;
  /** Reads the key from the preset's variable when none is given. Default `false`: no key goes where nobody sent it. */
  readonly fromEnv?: boolean;
  /** For requests that name no effort of their own. */
  readonly effort?: Effort;
  readonly deadlines?: Deadlines;
  /** Where variables are looked up. Default: `process.env`, when this is called. */
  readonly environment?: Environment;
}

/**
 * A provider for an endpoint that speaks the Chat Completions API. Throws `ConfigError` for a preset that there is none of, and
 * for a missing address, key or model. Nothing is dialled before the first completion.
 */
export function compatible(options: CompatibleOptions): Provider {
  const { preset: presetName, effort, deadlines = {} } = options;
  const factory = presetName === undefined ? "compatible()" : `compatible({ preset: ${JSON.stringify(presetName)} })`;
  const preset = presetName === undefined ? undefined : presetNamed(presetName);
  return chatProvider({
    name: options.name ?? presetName ?? "compatible",
    baseUrl: baseUrlOf(options, preset),
    model: required({ factory, option: "model", given: options.model }),
    headers: credential(factory, options, preset),
    quirks: { ...preset?.quirks, ...options.quirks },
    ...{ effort, deadlines },
  });
}

/** A name from a configuration file has not been seen by a compiler. */
function presetNamed(name: string): Preset {
  if (isPresetName(name)) return presets[name];
  const known = Object.keys(presets).join(", ");
  throw new ConfigError(
    `Could not set up compatible(): there is no preset ${JSON.stringify(name)}. Nothing was sent. Use one of ${known}, or pass baseUrl.`,
    { path: ["preset"] },
  );
}

function baseUrlOf({ baseUrl }: CompatibleOptions, preset: Preset | undefined): string {
  const found = baseUrl ?? preset?.baseUrl;
  if (found !== undefined) return found;
  throw new ConfigError(
    "Could not set up compatible(): it has no address. Nothing was sent. Pass baseUrl, or name a preset.",
    { path: ["baseUrl"] },
  );
}

function credential(
  factory: string,
  options: CompatibleOptions,
  preset: Preset | undefined,
): Readonly<Record<string, string>> {
  const { apiKey, auth = authOf(apiKey, preset), fromEnv = false, environment = process.env } = options;
  if (auth === "none") return {};
  const lookUp = { variable: preset?.keyVariable, ...(fromEnv ? { environment } : {}) };
  const key = required({ factory, option: "apiKey", given: apiKey, ...lookUp });
  return auth === "bearer" ? { authorization: `Bearer ${key}` } : { "api-key": key };
}

/** A local server that was started with a key wants it as a bearer. */
function authOf(apiKey: string | undefined, preset: Preset | undefined): Auth {
  if (!apiKey) return preset?.auth ?? "none";
  return preset === undefined || preset.auth === "none" ? "bearer" : preset.auth;
}
