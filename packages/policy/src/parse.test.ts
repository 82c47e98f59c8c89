import { describe, expect, it } from "vitest";
import { Policy, parsePolicy, policyJsonSchema } from "./index.js";

const defaults = { read: "allow", write: "ask", exec: "ask", net: "deny" };
const withRule = (rule: unknown) => ({ layers: [{ name: "team", rules: [rule] }], defaults });
const rule = { act: "write", effect: "allow", pattern: "src/*" };

describe("parsePolicy", () => {
  it("takes a policy as it is written", () => {
    expect(parsePolicy(withRule(rule))).toEqual(withRule(rule));
  });

  it("reads a policy without `defaults.net` as one without a network", () => {
    const { net: _, ...older } = defaults;
    expect(parsePolicy({ layers: [], defaults: older }).defaults.net).toBe("deny");
  });

  it.each<[unknown, (string | number)[], string]>([
    [{ layers: [], defaults: { write: "ask", exec: "ask" } }, ["defaults", "read"], "defaults.read is missing"],
    [{ layers: [], defaults: { read: "ask", exec: "ask" } }, ["defaults", "write"], "defaults.write is missing"],
    [{ layers: [], defaults: { read: "ask", write: "ask" } }, ["defaults", "exec"], "defaults.exec is missing"],
    [{ layers: [], defaults: { ...defaults, net: null } }, ["defaults", "net"], "defaults.net is null"],
    [{ layers: [], defaults: { ...defaults, execute: "deny" } }, ["defaults", "execute"], 'Did you mean "exec"?'],
    [{ layers: [], defaults: { ...defaults, read: "Allow" } }, ["defaults", "read"], 'Did you mean "allow"?'],
    [{ defaults }, ["layers"], "layers is missing. It must be a list"],
    [{ layers: [] }, ["defaults"], "defaults is missing. It must be an object"],
    [
      { layers: [], defaults, permissions: {} },
      ["permissions"],
      'permissions is no part of a policy. Use "layers" or "defaults"',
    ],
    [{ layer: [], defaults }, ["layer"], 'Did you mean "layers"?'],
    [{ layers: [{ name: "a", rule: [] }], defaults }, ["layers", 0, "rule"], 'Did you mean "rules"?'],
    [{ layers: [{ name: "", rules: [] }], defaults }, ["layers", 0, "name"], "layers[0].name is empty"],
    [{ layers: [{ name: "\ud800", rules: [] }], defaults }, ["layers", 0, "name"], "surrogate"],
    [{ layers: {}, defaults }, ["layers"], "layers is of type object. It must be a list"],
    [
      withRule({ ...rule, act: "reed" }),
      ["layers", 0, "rules", 0, "act"],
      'rules[0].act is "reed". Did you mean "read"?',
    ],
    [withRule({ ...rule, act: "bash" }), ["layers", 0, "rules", 0, "act"], 'Use "read", "write", "exec" or "net"'],
    [withRule({ ...rule, effect: "denied" }), ["layers", 0, "rules", 0, "effect"], 'Did you mean "deny"?'],
    [withRule({ ...rule, effect: 1 }), ["layers", 0, "rules", 0, "effect"], "is of type number"],
    [withRule({ ...rule, patern: "x" }), ["layers", 0, "rules", 0, "patern"], 'Did you mean "pattern"?'],
    [withRule({ ...rule, "args /x/": 1 }), ["layers", 0, "rules", 0, "args /x/"], 'rules[0]["args /x/"] is no part'],
    [withRule({ ...rule, pattern: ["src/*"] }), ["layers", 0, "rules", 0, "pattern"], "is a list. It must be text"],
    [withRule({ ...rule, pattern: "a\0" }), ["layers", 0, "rules", 0, "pattern"], "NUL"],
    [withRule({ ...rule, pattern: "../a" }), ["layers", 0, "rules", 0, "pattern"], "climbs above"],
    [withRule({ ...rule, act: "net", pattern: "https://x.com/" }), ["layers", 0, "rules", 0, "pattern"], '"x.com:443"'],
    [withRule("write src/*"), ["layers", 0, "rules", 0], 'is "write src/*". It must be an object'],
    [JSON.parse('{"layers":[],"defaults":{},"__proto__":{}}'), ["__proto__"], "__proto__ is no part"],
    [null, [], "the whole of it is null"],
    ["allow", [], "the whole of it"],
    [[], [], "the whole of it is a list"],
    [undefined, [], "the whole of it is missing"],
  ])("refuses %j and says where", (value, path, message) => {
    expect(() => parsePolicy(value)).toThrow(expect.objectContaining({ code: "config-invalid", path }));
    expect(() => parsePolicy(value)).toThrow(message);
  });

  it("hands out a copy that neither the caller nor anyone else can change", () => {
    const input = { layers: [{ name: "team", rules: [{ ...rule }] }], defaults: { ...defaults } };
    const policy = parsePolicy(input);
    const denied = Policy.fromJSON(policy).denyWrite("src/*").explain("write", "src/a");
    input.layers[0]?.rules.pop();
    expect(policy).toEqual(withRule(rule));
    expect(denied.effect).toBe("deny");
    const parts = [
      policy,
      policy.defaults,
      policy.layers,
      policy.layers[0],
      policy.layers[0]?.rules,
      policy.layers[0]?.rules[0],
    ];
    expect(parts.every(Object.isFrozen)).toBe(true);
  });
});

describe("policyJsonSchema", () => {
  it("asks for the same keys and words, and for nothing that may be left out", () => {
    expect(policyJsonSchema()).toMatchObject({
      type: "object",
      required: ["layers", "defaults"],
      additionalProperties: false,
      properties: {
        defaults: { required: ["read", "write", "exec"], properties: { net: { enum: ["allow", "ask", "deny"] } } },
        layers: {
          items: { required: ["name", "rules"], properties: { rules: { items: { additionalProperties: false } } } },
        },
      },
    });
  });
});
