// Nothing secret enters the log. A redactor knows the values to keep out; it is asked once per event, about its JSON text,
// so that the common case costs one scan and no copy.
import { mapStrings } from "./json.js";

/** Names of variables that hold secrets, by the words in them. */
const secretName =
  /token|secret|passw(or)?d|passphrase|credential|api_?key|access_?key|private_?key|auth_?key|_key$|_pat$/i;
/** A URL with a password in it, whatever the variable is called. */
const urlPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i;
/** Shorter values would be found inside ordinary words. */
const shortestSecret = 8;

export interface Redactor {
  /** Replaces every secret in `text` by `[redacted:NAME]`, and every lone surrogate by U+FFFD. */
  text(text: string): string;
  /** The same for every string in `value`; `json` is its JSON text, whole or in parts, scanned first. Returns `value` itself when clean. */
  value<Value>(value: Value, ...json: readonly string[]): Value;
}

/**
 * The variables of `environment` whose names look secret or are in `also`, with their values, and the passwords in those that are
 * URLs. Values under 8 characters are left out.
 */
export function findSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  also: readonly string[] = [],
): ReadonlyMap<string, string> {
  const named = new Set(also);
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    const secret = named.has(name) || secretName.test(name) ? value : urlPassword.exec(value)?.[1];
    if (secret !== undefined && secret.length >= shortestSecret) found.set(name, secret);
  }
  return found;
}

/** Keeps the values of `secrets` (by name) out of what passes through it. */
export function redactor(secrets: ReadonlyMap<string, string> = new Map()): Redactor {
  // Longest first: a secret that contains another must not be left half in place.
  const known = [...secrets]
    .filter(([, value]) => value.length >= shortestSecret)
    .sort(([, a], [, b]) => b.length - a.length);
  // In JSON text a value stands as JSON writes it, and may stand inside JSON inside JSON.
  const needles = known.flatMap(([, value]) => [...new Set([value, escaped(value), escaped(escaped(value))])]);

  function text(input: string): string {
    let output = input.isWellFormed() ? input : input.toWellFormed();
    for (const [name, value] of known) {
      for (const form of new Set([value, escaped(value)])) {
        if (output.includes(form)) output = output.replaceAll(form, () => `[redacted:${name}]`);
      }
    }
    return output;
  }

  const isDirty = (json: string) => json.includes("\\ud") || needles.some((needle) => json.includes(needle));

  return {
    text,
    value: (value, ...json) => (json.some(isDirty) ? mapStrings(value, text) : value),
  };
}

function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
