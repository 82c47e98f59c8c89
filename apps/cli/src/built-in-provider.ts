// The providers that come with the harness, by the names that a person types. What is recorded of one is its name, its model and
// its address, and never a key: a process that goes on with the run reads that from its own environment.
import { ConfigError, isHarnessError, type Provider } from "@harness/spec";
import type { Terminal } from "./process-terminal.js";

type Environment = Terminal["env"];

/** Those with an API of their own, or with more than an address; every other name is a preset of `compatible`. */
const vendors = ["anthropic", "openai", "openrouter", "compatible"] as const;
type Vendor = (typeof vendors)[number];

/** What a built-in provider is made of. */
export interface BuiltIn {
  readonly name: string;
  /** Default: what the environment says. */
  readonly model?: string | undefined;
  /** For `compatible` only: a preset has an address, and its key goes nowhere else. */
  readonly baseUrl?: string | undefined;
}

const scheme = "builtin:";

/** Where `given` is a name of a built-in provider: it, as the environment completes it. */
export async function findBuiltIn(
  given: string,
  env: Environment,
  model: string | undefined,
): Promise<BuiltIn | undefined> {
  if (!/^[a-z][a-z0-9-]*$/.test(given)) return undefined;
  if (given === "compatible") return { name: given, model: model ?? env.HARNESS_MODEL, baseUrl: env.HARNESS_BASE_URL };
  if (isVendor(given)) return { name: given, model };
  const { isPresetName } = await import("@harness/providers/compatible");
  return isPresetName(given) ? { name: given, model: model ?? env.HARNESS_MODEL } : undefined;
}

/** As it is recorded: `builtin:groq?model=…`. An address is recorded without its credentials and its query. */
export function builtInSpecifier({ name, model, baseUrl }: BuiltIn): string {
  const facts = new URLSearchParams();
  if (model) facts.set("model", model);
  if (baseUrl) facts.set("base", bare(baseUrl));
  const query = facts.toString();
  return `${scheme}${name}${query === "" ? "" : `?${query}`}`;
}

/** What `builtInSpecifier` wrote; `undefined` for anything else. */
export function readBuiltIn(specifier: string): BuiltIn | undefined {
  if (!specifier.startsWith(scheme)) return undefined;
  const [name = "", query = ""] = specifier.slice(scheme.length).split("?");
  const facts = new URLSearchParams(query);
  return { name, model: facts.get("model") ?? undefined, baseUrl: facts.get("base") ?? undefined };
}

/** Makes it, with the key that `env` holds. Throws `ConfigError` for a key, a model or an address that nobody gave. */
export async function makeBuiltIn(builtIn: BuiltIn, env: Environment): Promise<Provider> {
  try {
    return await (isVendor(builtIn.name) ? makeVendor(builtIn.name, builtIn, env) : makePreset(builtIn, env));
  } catch (cause) {
    const [missing] = isHarnessError(cause) && cause.code === "config-invalid" ? cause.path : [];
    if (missing !== "model" && missing !== "baseUrl") throw cause;
    throw new ConfigError(`The provider ${builtIn.name} ${remedy(builtIn.name, missing)} Nothing was sent.`, { cause });
  }
}

async function makeVendor(name: Vendor, { model, baseUrl }: BuiltIn, environment: Environment): Promise<Provider> {
  const options = { environment, ...(model ? { model } : {}) };
  switch (name) {
    case "anthropic":
      return (await import("@harness/providers/anthropic")).anthropic(options);
    case "openai":
      return (await import("@harness/providers/openai")).openai(options);
    case "openrouter":
      return (await import("@harness/providers/openrouter")).openRouter(options);
    case "compatible":
      return makeCompatible({ model, baseUrl }, environment);
    default:
      return name satisfies never;
  }
}

async function makeCompatible(
  { model = "", baseUrl }: Omit<BuiltIn, "name">,
  { HARNESS_BASE_URL: own, HARNESS_API_KEY: apiKey }: Environment,
): Promise<Provider> {
  const { compatible } = await import("@harness/providers/compatible");
  // The environment's own address may hold what the recorded one leaves out; its key is for that address and no other.
  const isOwn = !own || !baseUrl || bare(own) === bare(baseUrl);
  const address = (isOwn && own) || baseUrl;
  return compatible({ model, ...(address ? { baseUrl: address } : {}), ...(isOwn && apiKey ? { apiKey } : {}) });
}

async function makePreset({ name, model = "" }: BuiltIn, environment: Environment): Promise<Provider> {
  const { compatible, isPresetName } = await import("@harness/providers/compatible");
  if (!isPresetName(name)) throw new ConfigError(`There is no built-in provider ${JSON.stringify(name)} any more.`);
  return compatible({ preset: name, model, fromEnv: true, environment });
}

function remedy(name: string, missing: "model" | "baseUrl"): string {
  if (missing === "baseUrl")
    return "has no address: set HARNESS_BASE_URL, the whole prefix in front of /chat/completions.";
  const variable = isVendor(name) && name !== "compatible" ? `${name.toUpperCase()}_MODEL` : "HARNESS_MODEL";
  return `has no model: pass --model <id>, name one in the contract, or set ${variable}.`;
}

function isVendor(name: string): name is Vendor {
  return (vendors as readonly string[]).includes(name);
}

/** What is no address is left to the provider, which says so. */
function bare(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  return url.href;
}
