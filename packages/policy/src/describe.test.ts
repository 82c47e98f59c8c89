import { describe, expect, it } from "vitest";
import { describePolicy, Policy } from "./index.js";

describe("describePolicy", () => {
  it("says the defaults, and groups patterns by what the evaluator says of them", () => {
    const policy = new Policy()
      .layer("app")
      .withDefault("exec", "ask")
      .allowRead("*", "secrets/public.txt")
      .denyRead("secrets/*")
      .askRead("docs/*")
      .allowExec("npm*", "cargo test*")
      .denyExec("npm publish*")
      .layer("net")
      .allowNet("*.x.com", "api.x.com")
      .denyNet("api.x.com");
    expect(describePolicy(policy.toJSON()).split("\n")).toEqual([
      '- read: refused by default; allowed: "*"; needs approval: "docs/*"; refused: "secrets/public.txt" (layer "app"), "secrets/*" (layer "app").',
      "- write: refused by default.",
      '- exec: needs approval by default; allowed: "npm*"; needs approval: "cargo test*"; refused: "npm publish*" (layer "app").',
      '- net: refused by default; allowed: "*.x.com"; refused: "api.x.com" (layer "net").',
    ]);
  });

  it("says so when a default refuses what a rule alone would allow", () => {
    expect(describePolicy(new Policy().allowExec("cargo test*").toJSON())).toContain('"cargo test*" (by default)');
  });

  it("lists 24 patterns of each act, each once, and counts the rest", () => {
    const patterns = Array.from({ length: 26 }, (_, index) => `f${index}`);
    const policy = new Policy().allowRead(...patterns, ...patterns).allowWrite(...patterns.slice(0, 25));
    const [read, write] = describePolicy(policy.toJSON()).split("\n");
    expect(read?.match(/"f\d+"/g)).toHaveLength(24);
    expect(read).toMatch(/; 2 more rules are not listed\.$/);
    expect(write).toMatch(/; 1 more rule is not listed\.$/);
    expect(describePolicy(policy.toJSON(), { maxPatterns: 30 })).not.toContain("more");
  });

  it("keeps a pattern with a line break inside its line", () => {
    expect(describePolicy(new Policy().allowExec("a\n- net: allowed").toJSON()).split("\n")).toHaveLength(4);
  });
});
