// Hosts as rules and dials see them: one form per host, made by the WHATWG URL parser, the parser that `fetch` uses. So
// what is checked is what would be dialled. User-info never leaves this file, not even in an error: the parser's own
// errors quote their input, and are therefore dropped.
import { refusal, unnameable } from "./form.js";

const schemePorts: ReadonlyMap<string, string> = new Map([
  ["http", "80"],
  ["https", "443"],
  ["ws", "80"],
  ["wss", "443"],
]);

/**
 * The target of a dial, `host:port`, from a URL or from `host:port`: lower case, one trailing dot off, international
 * names in their ASCII form, IPv4 dotted (also inside `::ffff:`), IPv6 compressed and in brackets, user-info gone.
 * Throws `ActRefusedError` for whatever has no such form: another scheme, no host, an empty port or none.
 */
export function netTarget(address: string): string {
  const problem = unnameable(address) ?? spaced(address);
  if (problem !== undefined) throw refusal("net", shown(address), problem);
  const url = /^([^:/?#@]*):\/\/([^/?#]*)/.exec(address);
  const implied = url ? schemePorts.get((url[1] ?? "").toLowerCase()) : undefined;
  if (url && implied === undefined) {
    throw refusal("net", shown(address), "only http, https, ws and wss addresses can be dialled");
  }
  const authority = withoutUser(url?.[2] ?? address);
  const { host, port = implied } = hostAndPort(authority);
  const name = canonicalName(host);
  if (name === undefined) throw refusal("net", shown(address), "it names no host that can be dialled");
  const number = canonicalPort(port ?? "");
  if (number === undefined) throw refusal("net", shown(address), "its port is missing or not one of 1 to 65535");
  return `${name}:${number}`;
}

/**
 * A host in the form that `netTarget` gives it, with its port if it has one. An IPv6 address may come without brackets
 * and leaves with them. Throws `ActRefusedError` for what is no host.
 */
export function canonicalHost(host: string): string {
  const problem = unnameable(host) ?? spaced(host);
  if (problem !== undefined) throw refusal("net", shown(host), problem);
  const parts = hostAndPort(host);
  const name = canonicalName(isBareIpv6(host) ? `[${host}]` : parts.host);
  const port = parts.port === undefined ? "" : canonicalPort(parts.port);
  if (name === undefined || port === undefined) {
    throw refusal("net", shown(host), "it is not a host that can be dialled, alone or with a port");
  }
  return port === "" ? name : `${name}:${port}`;
}

/** `host`, `host:port` and `[ipv6]:port` taken apart; neither part is looked at. An unbracketed IPv6 address is all host. */
export function hostAndPort(authority: string): { readonly host: string; readonly port?: string } {
  const colon = authority.indexOf(":", Math.max(authority.indexOf("]"), 0));
  if (colon < 0 || isBareIpv6(authority)) return { host: authority };
  return { host: authority.slice(0, colon), port: authority.slice(colon + 1) };
}

/** Two colons and no bracket: no port can be told from the rest. */
export function isBareIpv6(host: string): boolean {
  return !host.startsWith("[") && host.indexOf(":") !== host.lastIndexOf(":");
}

/** The one form of a host name or address, or nothing for what is neither. */
export function canonicalName(host: string): string | undefined {
  if (!/^(?:\[[^\]]*\]|[^\s:@/?#\\[\]]+)$/.test(host)) return undefined;
  const url = `http://${host}/`;
  if (!URL.canParse(url)) return undefined;
  const name = new URL(url).hostname.replace(/\.$/, "");
  return name.split(".").includes("") ? undefined : withoutMapping(name);
}

/** A port in digits without leading zeros, or nothing for what is no port. */
export function canonicalPort(port: string): string | undefined {
  if (!/^\d{1,5}$/.test(port)) return undefined;
  const number = Number(port);
  return number >= 1 && number <= 65_535 ? String(number) : undefined;
}

/** An IPv4 address written inside IPv6 reaches the same machine, so a rule about the one holds for the other. */
function withoutMapping(name: string): string {
  const mapped = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(name);
  if (!mapped) return name;
  const bytes = [mapped[1], mapped[2]].map((half) => Number.parseInt(half ?? "", 16));
  return bytes.flatMap((half) => [half >> 8, half & 255]).join(".");
}

// The URL parser drops tabs and newlines and reads `\` as `/`. Whoever dials may not.
function spaced(text: string): string | undefined {
  return /[\s\\\p{Cc}]/u.test(text) ? "it contains white space, a control character or a backslash" : undefined;
}

function withoutUser(authority: string): string {
  return authority.slice(authority.lastIndexOf("@") + 1);
}

/** What an error may say of an address: no user-info, and neither path nor query, which may hold a key. */
function shown(address: unknown): string {
  if (typeof address !== "string") return "";
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(address)?.[0] ?? "";
  const rest = withoutUser(address.slice(scheme.length));
  return (scheme + rest.replace(/[/?#\\].*$/s, "")).slice(0, 200);
}
