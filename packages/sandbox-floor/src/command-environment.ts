// The environment that a command gets: a list of what it may have, not the embedding process's own with some names taken
// out. Secrets have too many names for the second to work.
import { allowed, allowedOnWindows, isWithheld, looksLikeKey } from "./variable-names.js";

export interface CommandEnvironmentOptions {
  /** Names to pass on as well. What looks like a secret, an agent's socket or a loader stays withheld. */
  readonly inherit?: readonly string[];
  /** Names that are never passed, from anywhere; nor is a variable that holds one of their values. */
  readonly secrets?: readonly string[];
  /** Set as given, over what is passed on. Whoever means to hand over a withheld variable puts its value here. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Node's name of the platform. Default: this one. On `win32` names are compared and given in upper case. */
  readonly platform?: string;
}

/**
 * The variables for a command that `source` starts. `TERM` is `dumb`; from `source` come the allow-listed names and those
 * of `inherit`, without anything that looks like a secret by name or by value.
 */
export function commandEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  { inherit = [], secrets = [], extra = {}, platform = process.platform }: CommandEnvironmentOptions = {},
): Record<string, string> {
  const fold = platform === "win32" ? (name: string) => name.toUpperCase() : (name: string) => name;
  const read = platform === "win32" ? folded(source) : (name: string) => source[name];
  const never = new Set(secrets.map(fold));

  // Name by name: to list the variables of a process costs more than to look up those that are wanted.
  const passed: Record<string, string> = {};
  for (const name of [...(platform === "win32" ? onWindows : allowed), ...inherit.map(fold)]) {
    const value = never.has(name) ? undefined : read(name);
    if (typeof value === "string" && !isWithheld(name) && !looksLikeKey(value)) passed[name] = value;
  }
  for (const name of namesHolding([...never].map(read), passed)) delete passed[name];

  passed.TERM = "dumb";
  for (const [key, value] of Object.entries(extra)) if (!never.has(fold(key))) passed[fold(key)] = value;
  return passed;
}

function folded(source: Readonly<Record<string, string | undefined>>): (name: string) => string | undefined {
  const values = new Map(Object.entries(source).map(([name, value]) => [name.toUpperCase(), value]));
  return (name) => values.get(name);
}

function namesHolding(
  hidden: readonly (string | undefined)[],
  passed: Readonly<Record<string, string>>,
): readonly string[] {
  const secrets = hidden.filter((value) => value !== undefined && value.length >= shortestSecret) as string[];
  if (secrets.length === 0) return [];
  return Object.keys(passed).filter((name) => secrets.some((secret) => passed[name]?.includes(secret)));
}

/** Shorter values stand inside ordinary words. */
const shortestSecret = 8;

const onWindows: readonly string[] = [...allowed, ...allowedOnWindows].map((name) => name.toUpperCase());
