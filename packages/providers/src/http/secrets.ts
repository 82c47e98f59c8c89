// Which values are secret: every header that a provider is given, but for the few that are known to be public, and every value in
// the query of its address. A gateway's header may have any name, so what is not known to be public counts as a key.
import { ConfigError } from "@harness/spec";

const publicHeaders = new Set([
  "accept",
  "anthropic-beta",
  "anthropic-version",
  "content-type",
  "http-referer",
  "user-agent",
  "x-title",
]);

/** `headers` with names in lower case. Throws `ConfigError`, naming the header alone, for what HTTP cannot carry. */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw unusable(name, "its name is not one that HTTP allows");
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
        throw unusable(name, "its value holds a line break or a character that HTTP cannot carry");
      }
      return [name.toLowerCase(), value];
    }),
  );
}

/** What must not be shown, the longest first, so that no part of one is left where a shorter one was cut out. */
export function secretsIn(headers: Readonly<Record<string, string>>, baseUrl: string): readonly string[] {
  const values = Object.entries(headers).filter(([name]) => !publicHeaders.has(name));
  const query = [...new URL(baseUrl).searchParams].filter(([name]) => name !== "api-version");
  const all = [...values, ...query].flatMap(([, value]) => [value, ...value.split(/\s+/)]);
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

function unusable(name: string, reason: string): ConfigError {
  return new ConfigError(
    `The header ${JSON.stringify(name)} cannot be sent: ${reason}. Correct it. Nothing was sent.`,
    {
      path: ["headers", name],
    },
  );
}
