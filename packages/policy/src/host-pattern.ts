// Patterns over hosts. A pattern without wildcards goes through the same function as a target, so `API.X.COM.` and
// `api.x.com` are one rule. One with wildcards is no host, so its labels are brought to form one by one. What could
// never match a canonical target is a problem rather than a rule that quietly protects nothing.
import { beyondAscii, type Form } from "./form.js";
import { hasWildcard } from "./glob.js";
import { canonicalName, canonicalPort, hostAndPort, isBareIpv6, netTarget } from "./hosts.js";

/** The canonical form of a net rule's pattern: `host`, `host:port`, either with wildcards. */
export function hostPatternForm(pattern: string): Form {
  if (/[\s/\\@#]/.test(pattern)) return { problem: `it is not \`host\` or \`host:port\`${instead(pattern)}` };
  if (isBareIpv6(pattern)) {
    const address = canonicalName(`[${pattern}]`);
    return address === undefined
      ? { problem: "an IPv6 address with wildcards or a port needs brackets" }
      : { text: address };
  }
  const { host, port } = hostAndPort(pattern);
  const name = hasWildcard(host) ? wildcardName(host) : plainName(host);
  if (name.problem !== undefined || port === undefined) return name;
  const number = hasWildcard(port) && /^[\d*?]+$/.test(port) ? port : canonicalPort(port);
  return number === undefined ? { problem: "its port is not one of 1 to 65535" } : { text: `${name.text}:${number}` };
}

function plainName(host: string): Form {
  const name = canonicalName(host);
  return name === undefined ? { problem: "it names no host that can be dialled" } : { text: name };
}

function wildcardName(host: string): Form {
  if (/^\[[\da-f:.*?]*\]$/i.test(host)) return { text: host.toLowerCase() };
  const labels = host.replace(/\.$/, "").split(".").map(wildcardLabel);
  const broken = labels.find((label) => label.problem !== undefined);
  return broken ?? { text: labels.map((label) => label.text).join(".") };
}

function wildcardLabel(label: string): Form {
  if (label === "" || /[[\]]/.test(label)) return { problem: "it names no host that can be dialled" };
  if (!beyondAscii.test(label)) return { text: label.toLowerCase() };
  if (hasWildcard(label)) return { problem: "a label with a wildcard must be written in its ASCII form" };
  return plainName(label);
}

/** What to write in place of a URL or an address range. */
function instead(pattern: string): string {
  if (/^[\d.:a-f]+\/\d+$/i.test(pattern)) return "; address ranges are not supported, list the addresses";
  try {
    return `; write ${JSON.stringify(netTarget(pattern))}`;
  } catch {
    return "; leave out scheme, user and path";
  }
}
