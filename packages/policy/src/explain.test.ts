import type { Act, ActType, PolicyData, Rule } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { explain, Policy } from "./index.js";

const open = Policy.permissive();

describe("explain", () => {
  it.each([
    ["first", new Policy().layer("one").denyRead("a").layer("two").allowRead("*"), "one"],
    ["last", new Policy().layer("one").allowRead("*").layer("two").denyRead("a"), "two"],
  ])("denies when the layer that denies comes %s", (_, policy, layer) => {
    expect(policy.explain("read", "a")).toEqual({ effect: "deny", rule: "a", layer });
  });

  it("does not let a more specific allow lift a deny", () => {
    const policy = new Policy().denyRead("secrets/*").allowRead("secrets/public.txt");
    expect(policy.explain("read", "secrets/public.txt")).toEqual({
      effect: "deny",
      rule: "secrets/*",
      layer: "policy",
    });
  });

  it("asks before it allows", () => {
    const policy = new Policy().allowRead("src/*").askRead("*");
    expect(policy.explain("read", "src/a")).toEqual({ effect: "ask", rule: "*", layer: "policy" });
  });

  it("allows what a rule allows and leaves the rest to the default, without attribution", () => {
    const policy = new Policy().allowRead("src/*");
    expect(policy.explain("read", "src/a")).toEqual({ effect: "allow", rule: "src/*", layer: "policy" });
    expect(Object.keys(policy.explain("read", "docs/a"))).toEqual(["effect"]);
    expect(policy.explain("read", "docs/a").effect).toBe("deny");
  });

  it("allows by default without a rule or a layer", () => {
    expect(Object.entries(open.explain("write", "a"))).toEqual([["effect", "allow"]]);
  });

  it("names the first of two layers that deny with the same pattern, and the first rule within it", () => {
    const policy = open.layer("one").denyRead("a", "*").layer("two").denyRead("a");
    expect(policy.explain("read", "a")).toEqual({ effect: "deny", rule: "a", layer: "one" });
  });

  it.each(["read", "write", "exec"] as const)("does not let rules of other acts decide about %s", (act) => {
    const others = (["read", "write", "exec", "net"] as const).filter((other) => other !== act);
    const policy = others.reduce((so, other) => so.rule(other, "deny", "*"), open);
    expect(policy.explain(act, "a")).toEqual({ effect: "allow" });
  });

  it.each([
    [".env", "config/prod/.env", true],
    ["*.pem", "a/b/c.pem", true],
    ["secrets/*", "secrets/a/b", true],
    ["secrets/*", "secrets", false],
    ["secrets/*", "a/secrets/k", false],
    ["*/secrets/*", "a/secrets/k", true],
    ["src/*", "src2/a", false],
    ["README", "readme", false],
    ["caf\u00e9", "cafe\u0301", true],
    ["cafe\u0301", "caf\u00e9", true],
    ["caf?", "cafe\u0301", true],
    ["a?c", "a😀c", true],
    ["*", "any/thing\nat all", true],
    ["*", ".", true],
    ["", ".", true],
    ["", "dir/", false],
    [".", "", true],
    [".*", ".", false],
    ["a\\b", "a\\b", true],
    ["a\\b", "a/b", false],
    ["/etc/*", "/etc/passwd", true],
    ["etc/*", "/etc/passwd", false],
    ["passwd", "/etc/passwd", true],
    ["~x", "~x", true],
  ])("says that the file rule %j and the path %j meet: %s", (pattern, target, expected) => {
    const effect = expected ? "deny" : "allow";
    expect(open.denyRead(pattern).explain("read", target).effect).toBe(effect);
    expect(open.denyWrite(pattern).explain("write", target).effect).toBe(effect);
  });

  it.each([".env", "./.env", "a/../.env", ".env/", ".//.env"])(
    "takes a rule written %j for the same as `.env`",
    (pattern) => {
      for (const target of [".env", "./.env", "a/../.env", "x/.env/", "x//.env"]) {
        expect(open.denyRead(pattern).explain("read", target)).toEqual({
          effect: "deny",
          rule: pattern,
          layer: "policy",
        });
      }
    },
  );

  it("folds case in rule and path only where the file system does", () => {
    const policy = open.denyRead("Secrets/*", "straße", "ΑΣ*");
    const folded = (target: string, foldsCase: boolean) => policy.explain({ type: "read", target, foldsCase }).effect;
    expect(folded("SECRETS/key", true)).toBe("deny");
    expect(folded("SECRETS/key", false)).toBe("allow");
    expect(folded("Secrets/key", false)).toBe("deny");
    expect(folded("\u017fecrets/key", true)).toBe("deny");
    expect(folded("STRAßE", true)).toBe("deny");
    expect(folded("ας", true)).toBe("deny");
    expect(folded("ασα", true)).toBe("deny");
    expect(open.denyRead("\u0130").explain({ type: "read", target: "i\u0307", foldsCase: true }).effect).toBe("deny");
    expect(open.denyRead("\u1e96").explain({ type: "read", target: "H\u0331", foldsCase: true }).effect).toBe("deny");
  });

  it.each([
    ["C:\\repo\\secrets\\*", "c:/repo/secrets/key"],
    ["C:\\repo\\secrets\\*", "\\\\?\\C:\\repo\\secrets\\key"],
    ["\\\\?\\C:\\repo\\secrets\\*", "/c/repo/secrets/key"],
    ["c:/repo/secrets/*", "C:\\repo\\x\\..\\secrets\\key"],
    ["\\\\?\\UNC\\host\\share\\*", "\\\\host\\share\\key"],
    ["secrets\\*", "secrets/key"],
    ["secrets/*", ".\\secrets\\key"],
    ["key", "secrets\\key"],
  ])("meets the rule %j and the path %j on Windows", (pattern, target) => {
    const policy = open.denyRead(pattern);
    const verdict = policy.explain({ type: "read", target }, { platform: "windows" });
    expect(verdict).toEqual({ effect: "deny", rule: pattern, layer: "policy" });
  });

  it.each<Act>([
    { type: "read", target: "a/../../etc/passwd" },
    { type: "write", target: "a\0" },
    { type: "read", target: "\udfff" },
    { type: "exec", target: "a\0" },
    { type: "exec", target: "a", argv: ["a", "\ud800"] },
    { type: "exec", target: "a", argv: [] },
    { type: "net", target: "h" },
    { type: "execute" as ActType, target: "a" } as Act,
    { type: "read" } as unknown as Act,
  ])("refuses %j, which no rule could be about, even when everything is allowed", (act) => {
    expect(() => open.explain(act)).toThrow(expect.objectContaining({ code: "act-refused" }));
  });

  it("does not evaluate a policy that holds an unknown word or a pattern that cannot match", () => {
    const withRule = (rule: unknown): PolicyData => ({
      ...open.toJSON(),
      layers: [{ name: "x", rules: [rule as Rule] }],
    });
    const act: Act = { type: "read", target: "a" };
    const wrong = { code: "config-invalid" };
    expect(() => explain(withRule({ act: "read", effect: "denied", pattern: "a" }), act)).toThrow(
      expect.objectContaining(wrong),
    );
    expect(() => explain(withRule({ act: "raed", effect: "deny", pattern: "a" }), act)).toThrow(
      expect.objectContaining(wrong),
    );
    expect(() => explain(withRule({ act: "read", effect: "deny", pattern: "../a" }), act)).toThrow(
      expect.objectContaining(wrong),
    );
    const noDefault = { layers: [], defaults: { write: "ask" } } as unknown as PolicyData;
    expect(() => explain(noDefault, act)).toThrow(expect.objectContaining(wrong));
  });
});
