// Where a provider is: one origin and the prefix in front of every path. A name and password in an address are refused, because an
// address is shown in places where a key must not be.
import { ConfigError } from "@harness/spec";

export interface Address {
  /** `https://api.example.com:8443` */
  readonly origin: string;
  /** `host:port`, as the net policy knows it. */
  readonly target: string;
  /** The path on that origin: the prefix, then `path`, then the query of the base address, if it has one. */
  pathOf(path: string): string;
}

/** Throws `ConfigError` for what is not an http or https URL. */
export function baseAddress(baseUrl: string): Address {
  if (!URL.canParse(baseUrl)) throw invalid("is not a URL");
  const url = new URL(baseUrl);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw invalid("is neither http nor https");
  if (url.username !== "" || url.password !== "")
    throw invalid("holds a user name or a password; give the key instead");
  const prefix = url.pathname.replace(/\/$/, "");
  const query = url.search.slice(1);
  return {
    origin: url.origin,
    target: `${url.hostname.replace(/\.$/, "")}:${url.port || (url.protocol === "https:" ? 443 : 80)}`,
    pathOf: (path) => `${prefix}${path}${query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`}`,
  };
}

function invalid(reason: string): ConfigError {
  return new ConfigError(`The base URL of the provider cannot be used: it ${reason}. Nothing was sent.`, {
    path: ["baseUrl"],
  });
}
