import { describe, expect, it } from "vitest";
import { contain, merge, Policy, stricter } from "./index.js";

describe("merge", () => {
  it("puts the base's layers first and takes the stricter default of each act", () => {
    const base = new Policy()
      .layer("base")
      .allowRead("a")
      .defaults({ read: "allow", write: "ask", exec: "allow" })
      .toJSON();
    const overlay = Policy.permissive().layer("overlay").denyRead("b").withDefault("exec", "ask").toJSON();
    const merged = merge(base, overlay);
    expect(merged.layers.map(({ name }) => name)).toEqual(["base", "overlay"]);
    expect(merged.defaults).toEqual({ read: "allow", write: "ask", exec: "ask", net: "deny" });
  });

  it("lets an overlay allow what no rule speaks of, and nothing that a rule denies or asks for", () => {
    const base = new Policy().denyWrite("secrets/*").askWrite("docs/*");
    const overlay = Policy.permissive().layer("remembered").allowWrite("*");
    const merged = base.merge(overlay);
    expect(merged.explain("write", "src/a")).toEqual({ effect: "allow", rule: "*", layer: "remembered" });
    expect(merged.explain("write", "secrets/a")).toEqual({ effect: "deny", rule: "secrets/*", layer: "policy" });
    expect(merged.explain("write", "docs/a")).toEqual({ effect: "ask", rule: "docs/*", layer: "policy" });
  });
});

describe("contain", () => {
  it("keeps the parent whole, drops the child's allow rules, and drops layers that are left empty", () => {
    const parent = Policy.permissive().layer("parent").allowRead("*").layer("empty");
    const child = Policy.permissive()
      .layer("grants")
      .allowWrite("*")
      .layer("limits")
      .allowRead("a")
      .denyWrite("docs/*");
    expect(contain(parent.toJSON(), child.toJSON()).layers).toEqual([
      ...parent.toJSON().layers,
      { name: "limits", rules: [{ act: "write", effect: "deny", pattern: "docs/*" }] },
    ]);
  });

  it("gives a child nothing that its parent lacks", () => {
    const contained = new Policy().allowRead("src/*").contain(Policy.permissive().allowRead("*").allowExec("*"));
    expect(contained.explain("read", "src/a").effect).toBe("allow");
    expect(contained.explain("read", "etc/a").effect).toBe("deny");
    expect(contained.explain("exec", "rm").effect).toBe("deny");
  });

  it("holds a grandchild that asks for nothing to what its parent was denied", () => {
    const child = Policy.permissive().contain(Policy.permissive().layer("child").denyWrite("docs/*"));
    const grandchild = child.contain(Policy.permissive());
    expect(grandchild.explain("write", "docs/a")).toEqual({ effect: "deny", rule: "docs/*", layer: "child" });
  });

  it("names the parent's layer when a parent's rule decides", () => {
    const contained = Policy.permissive()
      .layer("parent")
      .denyRead("a")
      .contain(Policy.permissive().layer("child").denyRead("a"));
    expect(contained.explain("read", "a").layer).toBe("parent");
  });

  it("keeps an ask where the parent would have allowed, and turns it into a deny where the parent would have refused", () => {
    const parent = new Policy().allowRead("src/*").askRead("docs/*");
    const child = Policy.permissive().layer("child").askRead("src/gen/*", "docs/*", "*.md");
    const contained = parent.contain(child);
    expect(contained.explain("read", "src/gen/a")).toEqual({ effect: "ask", rule: "src/gen/*", layer: "child" });
    expect(contained.explain("read", "docs/a")).toEqual({ effect: "ask", rule: "docs/*", layer: "policy" });
    expect(contained.explain("read", "README.md")).toEqual({ effect: "deny", rule: "*.md", layer: "child" });
    expect(contained.explain("read", "src/a").effect).toBe("allow");
  });

  it("keeps a child's asks as they are where the parent does not refuse by default", () => {
    const contained = Policy.standard().contain(Policy.permissive().layer("child").askRead("docs/*"));
    expect(contained.explain("read", "docs/a")).toEqual({ effect: "ask", rule: "docs/*", layer: "child" });
  });
});

describe("stricter", () => {
  it.each([
    ["allow", "ask", "ask"],
    ["deny", "ask", "deny"],
    ["ask", "ask", "ask"],
  ] as const)("of %s and %s is %s", (a, b, expected) => {
    expect(stricter(a, b)).toBe(expected);
    expect(stricter(b, a)).toBe(expected);
  });

  it("prefers, of equally strict verdicts, one that a rule decided, and else the first", () => {
    const byDefault = { effect: "deny" } as const;
    const one = { effect: "deny", rule: "a", layer: "one" } as const;
    const two = { effect: "deny", rule: "a", layer: "two" } as const;
    expect(stricter(byDefault, one)).toBe(one);
    expect(stricter(one, byDefault)).toBe(one);
    expect(stricter(one, two)).toBe(one);
    expect(stricter(one, { effect: "allow", rule: "*", layer: "x" })).toBe(one);
  });
});
