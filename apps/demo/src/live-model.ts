// Which real model the demo asks, by what is set in the environment. An endpoint that somebody named wins over a key that may be
// there for something else.

type Environment = Readonly<Record<string, string | undefined>>;

export interface LiveModel {
  /** As `--provider` takes it. */
  readonly provider: string;
  readonly model: string;
  /** The variables that say so. */
  readonly because: string;
}

// Good enough for the task when this was written; a variable names another.
const vendors = [
  { provider: "anthropic", key: "ANTHROPIC_API_KEY", variable: "ANTHROPIC_MODEL", usual: "claude-sonnet-4-5" },
  { provider: "openai", key: "OPENAI_API_KEY", variable: "OPENAI_MODEL", usual: "gpt-4.1" },
  { provider: "openrouter", key: "OPENROUTER_API_KEY", variable: "OPENROUTER_MODEL", usual: "openrouter/auto" },
] as const;

/** `undefined` where nothing is set, and the scripted model plays. */
export function liveModel(env: Environment): LiveModel | undefined {
  if (env.HARNESS_BASE_URL && env.HARNESS_MODEL) {
    return { provider: "compatible", model: env.HARNESS_MODEL, because: "HARNESS_BASE_URL and HARNESS_MODEL are set" };
  }
  const vendor = vendors.find(({ key }) => env[key]);
  if (!vendor) return undefined;
  const { provider, key, variable, usual } = vendor;
  return { provider, model: env[variable] || usual, because: `${key} is set` };
}
