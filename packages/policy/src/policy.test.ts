import type { ActType, Effect } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { Policy, parsePolicy } from "./index.js";

describe("Policy", () => {
  it("denies everything until it is told otherwise", () => {
    expect(new Policy().toJSON()).toEqual({
      layers: [],
      defaults: { read: "deny", write: "deny", exec: "deny", net: "deny" },
    });
  });

  it("is a value: adding to it leaves it as it was", () => {
    const base = new Policy().layer("app");
    const allowing = base.allowRead("*");
    base.denyRead("*");
    expect(base.toJSON().layers).toEqual([{ name: "app", rules: [] }]);
    expect(allowing.explain("read", "a").effect).toBe("allow");
    expect(allowing.toJSON()).not.toBe(base.toJSON());
  });

  it("puts rules into the layer opened last, or into one called policy", () => {
    const policy = new Policy()
      .allowRead("a")
      .askWrite("b", "c")
      .layer("app")
      .denyNet("x.com")
      .rule("exec", "allow", "ls");
    expect(policy.toJSON().layers).toEqual([
      {
        name: "policy",
        rules: [
          { act: "read", effect: "allow", pattern: "a" },
          { act: "write", effect: "ask", pattern: "b" },
          { act: "write", effect: "ask", pattern: "c" },
        ],
      },
      {
        name: "app",
        rules: [
          { act: "net", effect: "deny", pattern: "x.com" },
          { act: "exec", effect: "allow", pattern: "ls" },
        ],
      },
    ]);
  });

  it("does not write into a layer that someone else opened", () => {
    for (const made of [
      Policy.standard(),
      Policy.fromJSON(Policy.standard().toJSON()),
      Policy.standard().merge(new Policy()),
    ]) {
      expect(
        made
          .allowExec("a")
          .allowExec("b")
          .toJSON()
          .layers.map(({ name }) => name),
      ).toEqual(["secrets", "policy"]);
    }
  });

  it("has a method for every act and effect", () => {
    const policy = new Policy()
      .allowRead("1")
      .askRead("2")
      .denyRead("3")
      .allowWrite("1")
      .askWrite("2")
      .denyWrite("3")
      .allowExec("1")
      .askExec("2")
      .denyExec("3")
      .allowNet("a")
      .askNet("b")
      .denyNet("c");
    const said = policy.toJSON().layers.flatMap(({ rules }) => rules.map(({ act, effect }) => `${effect} ${act}`));
    const acts: readonly ActType[] = ["read", "write", "exec", "net"];
    const effects: readonly Effect[] = ["allow", "ask", "deny"];
    expect(said).toEqual(acts.flatMap((act) => effects.map((effect) => `${effect} ${act}`)));
  });

  it("adds nothing when it is given no pattern", () => {
    expect(new Policy().denyRead(...[]).toJSON().layers).toEqual([]);
  });

  it("sets the defaults that are named and keeps the others", () => {
    const policy = new Policy().defaults({ read: "allow", exec: "ask" }).withDefault("net", "allow").allowRead("a");
    expect(policy.toJSON().defaults).toEqual({ read: "allow", write: "deny", exec: "ask", net: "allow" });
    expect(policy.withDefault("write", "ask").denyRead("b").toJSON().layers).toHaveLength(1);
  });

  it.each<[string, () => unknown, string]>([
    ["an unknown act", () => new Policy().rule("reed" as ActType, "deny", "a"), 'Did you mean "read"?'],
    ["an unknown effect", () => new Policy().rule("read", "forbid" as Effect, "a"), 'Use "allow", "ask" or "deny"'],
    ["an unknown default", () => new Policy().defaults({ network: "deny" } as never), 'Did you mean "net"?'],
    ["an unknown default effect", () => new Policy().withDefault("net", "no" as Effect), 'Use "allow"'],
    ["a list in place of patterns", () => new Policy().denyRead(["a", "b"] as unknown as string), "not text"],
    ["NUL in a pattern", () => new Policy().denyExec("a\0"), "NUL"],
    ["a lone surrogate in a pattern", () => new Policy().denyRead("\ud800"), "surrogate"],
    ["a pattern above the root", () => new Policy().denyRead("a/../../b"), "climbs above the workspace root"],
    ["`..` after a wildcard", () => new Policy().denyRead("*/../b"), "follows a wildcard"],
    ["a home folder", () => new Policy().denyRead("~/.ssh/*"), "not expanded"],
    ["a layer without a name", () => new Policy().layer(""), "empty"],
  ])("refuses %s with advice", (_, build, message) => {
    expect(build).toThrow(expect.objectContaining({ code: "config-invalid" }));
    expect(build).toThrow(message);
  });

  it("takes `./~` for a folder of that name", () => {
    expect(Policy.permissive().denyRead("./~/x").explain("read", "~/x").effect).toBe("deny");
  });

  it("is its JSON", () => {
    const policy = Policy.standard().layer("team").allowWrite("src/*");
    expect(Policy.fromJSON(JSON.parse(JSON.stringify(policy))).toJSON()).toEqual(policy.toJSON());
    expect(parsePolicy(policy.toJSON())).toEqual(policy.toJSON());
  });
});

describe("Policy.standard", () => {
  it("opens reads, asks for writes and commands, and has no network", () => {
    const policy = Policy.standard();
    expect(policy.explain("read", "src/a")).toEqual({ effect: "allow" });
    expect(policy.explain("write", "src/a")).toEqual({ effect: "ask" });
    expect(policy.explain("exec", ["npm", "test"])).toEqual({ effect: "ask" });
    expect(policy.explain("net", "x.com:443")).toEqual({ effect: "deny" });
  });

  it.each([".env", "a/.env", ".env.local", "a/b/server.pem", "id_rsa", ".ssh/id_ed25519", "tls.key"])(
    "keeps %s shut",
    (path) => {
      expect(Policy.standard().explain("read", path)).toMatchObject({ effect: "deny", layer: "secrets" });
      expect(Policy.standard().explain("write", path)).toMatchObject({ effect: "deny", layer: "secrets" });
    },
  );
});

describe("isPermissive", () => {
  it.each<[string, Policy, boolean]>([
    ["Policy.permissive()", Policy.permissive(), true],
    ["layers without rules", Policy.permissive().layer("empty"), true],
    ["an allow rule", Policy.permissive().allowRead("*"), false],
    ["one default that asks", Policy.permissive().withDefault("net", "ask"), false],
    ["Policy.standard()", Policy.standard(), false],
    ["new Policy()", new Policy(), false],
  ])("of %s is %s", (_, policy, expected) => {
    expect(policy.isPermissive).toBe(expected);
  });
});
