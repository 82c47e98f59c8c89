import { describe, expect, it } from "vitest";
import { Policy } from "./index.js";

const open = Policy.permissive();

describe("explain, of a dial", () => {
  it.each([
    ["api.x.com", "api.x.com:443", true],
    ["api.x.com", "api.x.com:8080", true],
    ["api.x.com:443", "api.x.com:443", true],
    ["api.x.com:443", "api.x.com:80", false],
    ["api.x.com:0443", "api.x.com:443", true],
    ["*.x.com", "api.x.com:443", true],
    ["*.x.com", "x.com:443", false],
    ["*.x.com", "evilx.com:443", false],
    ["*.x.com:443", "a.b.x.com:443", true],
    ["x.com:*", "x.com:9", true],
    ["*", "x.com:9", true],
    ["*:443", "x.com:443", true],
    ["*:443", "x.com:80", false],
    ["API.X.COM", "api.x.com:443", true],
    ["api.x.com", "API.X.COM.:443", true],
    ["api.x.com.", "api.x.com:443", true],
    ["*.X.COM.", "api.x.com:443", true],
    ["bücher.de", "xn--bcher-kva.de:443", true],
    ["*.bücher.de", "www.xn--bcher-kva.de:443", true],
    ["xn--bcher-kva.de", "BÜCHER.de:443", true],
    ["127.0.0.1", "0x7f.1:80", true],
    ["0177.0.0.1", "127.0.0.1:80", true],
    ["10.*", "10.1.2.3:80", true],
    ["169.254.169.254", "[::ffff:a9fe:a9fe]:80", true],
    ["::1", "[0:0::1]:80", true],
    ["[::1]", "[::1]:80", true],
    ["[0::1]:80", "[::1]:80", true],
    ["[2001:DB8:*]", "[2001:db8::1]:80", true],
    ["127.0.0.1", "127.0.0.11:80", false],
    ["x.com", "https://user:pw@x.com/path", true],
  ])("says that the rule %j and %j meet: %s", (pattern, target, expected) => {
    const verdict = open.denyNet(pattern).explain("net", target);
    expect(verdict).toEqual(expected ? { effect: "deny", rule: pattern, layer: "policy" } : { effect: "allow" });
  });

  it.each(["https://h:/x", "h", "ftp://h/", "nonsense"])("refuses %j, even when everything is allowed", (target) => {
    expect(() => open.explain("net", target)).toThrow(expect.objectContaining({ code: "act-refused", act: "net" }));
  });

  it.each([
    ["https://api.x.com/v1", 'write "api.x.com:443"'],
    ["https://*.x.com/v1", 'write "*.x.com:443"'],
    ["ftp://x.com", "leave out scheme"],
    ["10.0.0.0/8", "list the addresses"],
    ["me@x.com", "leave out scheme, user"],
    ["x.com:", "port"],
    ["x.com:99999", "port"],
    ["x.com:http", "port"],
    ["fe80::*", "brackets"],
    ["::1:x", "brackets"],
    ["256.1.1.1", "no host"],
    ["a..b", "no host"],
    ["*..b", "no host"],
    ["[*", "no host"],
    ["", "no host"],
    ["bü*.de", "ASCII"],
    ["a b", "host:port"],
  ])("does not accept the pattern %j, which no target could match", (pattern, advice) => {
    expect(() => open.denyNet(pattern)).toThrow(expect.objectContaining({ code: "config-invalid" }));
    expect(() => open.denyNet(pattern)).toThrow(advice);
  });
});
