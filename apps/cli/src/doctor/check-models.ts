// Which models can be asked from here: the environment variables by which a provider is set up, by name. Keys are nobody's
// business: none is shown, and none is tried, because a request costs money.
import type { Check, Finding } from "./check.js";
import type { Machine } from "./machine.js";

export const modelsCheck: Check = {
  title: "Models",
  examine: async ({ env }) => {
    const keys = await keysSet(env);
    const settings = variables.filter((name) => env[name]);
    const findings: readonly Finding[] = [
      {
        status: "plain",
        name: "keys set",
        text: keys.map(({ key, name }) => `${key} (--provider ${name})`).join(", ") || none,
      },
      { status: "plain", name: "settings", text: settings.join(", ") || "none" },
      ...(env.HARNESS_BASE_URL && env.HARNESS_MODEL ? [ownEndpoint] : []),
    ];
    return { findings, facts: { keys: keys.map(({ key }) => key), settings } };
  },
};

const none = "none; a local server (--provider ollama, vllm, …) and a module of yours need none";
const ownEndpoint: Finding = {
  status: "plain",
  name: "endpoint",
  text: "HARNESS_BASE_URL and HARNESS_MODEL name one: --provider compatible",
};

const vendorKeys = [
  { name: "anthropic", key: "ANTHROPIC_API_KEY" },
  { name: "openai", key: "OPENAI_API_KEY" },
  { name: "openrouter", key: "OPENROUTER_API_KEY" },
  { name: "compatible", key: "HARNESS_API_KEY" },
] as const;

const variables = ["ANTHROPIC_MODEL", "OPENAI_MODEL", "OPENROUTER_MODEL", "HARNESS_BASE_URL", "HARNESS_MODEL"] as const;

interface Key {
  /** As `--provider` takes it. */
  readonly name: string;
  readonly key: string;
}

async function keysSet(env: Machine["env"]): Promise<readonly Key[]> {
  const { presets } = await import("@harness/providers/compatible");
  const presetKeys = Object.entries(presets).flatMap(([name, preset]) =>
    "keyVariable" in preset ? [{ name, key: preset.keyVariable }] : [],
  );
  return [...vendorKeys, ...presetKeys].filter(({ key }) => env[key]);
}
