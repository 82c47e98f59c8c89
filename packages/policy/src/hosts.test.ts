import { isHarnessError } from "@harness/spec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalHost, netTarget } from "./index.js";

describe("netTarget", () => {
  it.each([
    ["https://h/a?b#c", "h:443"],
    ["wss://h", "h:443"],
    ["http://h/", "h:80"],
    ["ws://h?x", "h:80"],
    ["https://h:8443/x", "h:8443"],
    ["https://user:pw@h/", "h:443"],
    ["https://a@b@h/", "h:443"],
    ["http://[::1]:9/", "[::1]:9"],
    ["HTTPS://API.X.COM./v1", "api.x.com:443"],
    ["https://bücher.de", "xn--bcher-kva.de:443"],
    ["https://x。com/", "x.com:443"],
    ["https://%61pi.x.com/", "api.x.com:443"],
    ["http://0x7f.1/", "127.0.0.1:80"],
    ["http://2130706433:8080/", "127.0.0.1:8080"],
    ["http://127.0.0.1./", "127.0.0.1:80"],
    ["http://[0:0::0:1]/", "[::1]:80"],
    ["http://[::ffff:169.254.169.254]/", "169.254.169.254:80"],
    ["h:80", "h:80"],
    ["API.x.com.:0443", "api.x.com:443"],
    ["[::1]:9", "[::1]:9"],
    ["user:pw@h:443", "h:443"],
  ])("names %j as %j", (address, expected) => {
    expect(netTarget(address)).toBe(expected);
  });

  it.each([
    "https://h:/x",
    "https://",
    "https:///h/x",
    "https:h",
    "ftp://h/",
    "file:///etc/passwd",
    "data:text/html,x",
    "about:blank",
    "constructor://h",
    "://h",
    "h",
    "h:",
    "h:0",
    "h:65536",
    "h:80:90",
    "h:http",
    ":80",
    "::1",
    "https://::1/",
    "[::1]",
    "[::1]x:80",
    "https://[fe80::1%eth0]/",
    "https://x..com/",
    "https://x.com../",
    "https://./",
    "https://256.1.1.1/",
    "https://a b/",
    "https://h\t/",
    "https://h\\@evil/",
    "https://h\0/",
    "https://\ud800/",
    "h/path:80",
    "",
  ])("refuses %j", (address) => {
    expect(() => netTarget(address)).toThrow(expect.objectContaining({ code: "act-refused", act: "net" }));
  });

  it.each(["https://me:hunter2@h:/?hunter2", "ftp://me:hunter2@h/", "https://me:hun/hunter2@h:x/", "me:hunter2@h"])(
    "keeps user-info and queries out of the refusal of %s",
    (address) => {
      const error = refusalOf(() => netTarget(address));
      expect(`${error?.stack} ${error?.target} ${error?.reason} ${String(error?.cause)}`).not.toMatch(/hunter2|me:/);
    },
  );

  it("gives a target that stays as it is, or a typed refusal, for any text", () => {
    const piece = fc.constantFrom(
      ..."ab.:/@[]?#%\\*1x0",
      "http://",
      "wss://",
      "::ffff:",
      "\0",
      "\ud800",
      "é",
      "\n",
      "。",
    );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: piece, maxLength: 10 }), fc.webUrl(), fc.string()), (address) => {
        const target = attempt(() => netTarget(address));
        if (target === undefined) return;
        expect(target).toMatch(/^[^@/\s]+:\d+$/);
        expect(netTarget(target)).toBe(target);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("canonicalHost", () => {
  it.each([
    ["API.X.com.", "api.x.com"],
    ["API.X.com:0443", "api.x.com:443"],
    ["::1", "[::1]"],
    ["[0::1]", "[::1]"],
    ["[0::1]:9", "[::1]:9"],
    ["0x7f.1", "127.0.0.1"],
  ])("brings %j to %j", (host, expected) => {
    expect(canonicalHost(host)).toBe(expected);
  });

  it.each(["", ".", "a b", "h:", "h/x", "https://h", "u@h", "a..b", "[::1", "h\0"])("refuses %j", (host) => {
    expect(() => canonicalHost(host)).toThrow(expect.objectContaining({ code: "act-refused" }));
  });
});

function refusalOf(work: () => string) {
  try {
    work();
    return undefined;
  } catch (error) {
    return isHarnessError(error) && error.code === "act-refused" ? error : undefined;
  }
}

function attempt(work: () => string): string | undefined {
  try {
    return work();
  } catch (error) {
    expect(isHarnessError(error) && error.code).toBe("act-refused");
    return undefined;
  }
}
