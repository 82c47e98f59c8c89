// What must hold of every policy. Alphabets are tiny, so that rules, targets and layers meet often.
import type { Act, ActType, Effect, Layer, PolicyData, Rule, Verdict } from "@harness/spec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contain, explain, merge, Policy, parsePolicy } from "./index.js";

const strictness: Record<Effect, number> = { allow: 0, ask: 1, deny: 2 };
/** Plain objects, as JSON gives them. */
const record = <Value>(model: { [Key in keyof Value]: fc.Arbitrary<Value[Key]> }) =>
  fc.record<Value>(model, { noNullPrototype: true });
const effect = fc.constantFrom<Effect>("allow", "ask", "deny");
const actType = fc.constantFrom<ActType>("read", "write", "exec", "net");

const hosts = fc.constantFrom("a.b", "*.b", "A.b.", "c.b:1", "*:1", "*", "a.?");
const names = fc.string({ unit: fc.constantFrom("a", "b", "A", "/", "*", "?", ".", " ", "é"), maxLength: 4 });
const pattern = (act: ActType) => (act === "net" ? hosts : names.filter((text) => isPattern(act, text)));

const rule: fc.Arbitrary<Rule> = actType.chain((act) =>
  record({ act: fc.constant(act), effect, pattern: pattern(act) }),
);
const layer: fc.Arbitrary<Layer> = record({
  name: fc.constantFrom("x", "y", "z"),
  rules: fc.array(rule, { maxLength: 4 }),
});
const policy: fc.Arbitrary<PolicyData> = record({
  layers: fc.array(layer, { maxLength: 3 }),
  defaults: record({ read: effect, write: effect, exec: effect, net: effect }),
});

const words = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
});
const path = fc
  .string({ unit: fc.constantFrom("a", "b", "A", "/", ".", "é", "*"), maxLength: 5 })
  .filter((text) => isPattern("read", text));
const act: fc.Arbitrary<Act> = fc.oneof(
  record({ type: fc.constantFrom("read" as const, "write" as const), target: path, foldsCase: fc.boolean() }),
  words.map((argv): Act => ({ type: "exec", target: argv[0] ?? "", argv })),
  record({ type: fc.constant("exec" as const), target: path }),
  record({ type: fc.constant("net" as const), target: fc.constantFrom("a.b:1", "A.B:2", "c.b:1", "d:1") }),
);

/** The first rule of one effect that meets the act: evaluation in its plainest form, over policies of one rule. */
function matching(data: PolicyData, target: Act, wanted: Effect): { rule: string; layer: string } | undefined {
  for (const { name, rules } of data.layers) {
    const hit = rules.find((one) => one.effect === wanted && one.act === target.type && meets(one, target));
    if (hit) return { rule: hit.pattern, layer: name };
  }
  return undefined;
}

function meets(one: Rule, target: Act): boolean {
  const alone = {
    ...Policy.permissive().toJSON(),
    layers: [{ name: "alone", rules: [{ ...one, effect: "deny" as const }] }],
  };
  return explain(alone, target).effect === "deny";
}

function isPattern(type: ActType, text: string): boolean {
  try {
    return Policy.permissive().rule(type, "deny", text) instanceof Policy;
  } catch {
    return false;
  }
}

const holds = <Values extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<Values>) =>
  fc.assert(property, { numRuns: 600 });

describe("any policy", () => {
  it("denies what any rule in any layer denies, however it was merged or contained", () => {
    holds(
      fc.property(policy, policy, act, (a, b, target) => {
        const denied = matching(a, target, "deny") ?? matching(b, target, "deny");
        if (!denied) return;
        for (const both of [merge(a, b), merge(b, a), contain(a, b), contain(b, a)]) {
          expect(explain(both, target)).toMatchObject({ effect: "deny", rule: expect.any(String) });
        }
        // A command has several parts, and the first of them that is denied is named.
        if (target.type === "exec" && target.argv) return;
        expect(explain(merge(a, b), target)).toEqual({ effect: "deny", ...denied });
      }),
    );
  });

  it("decides paths, dials and tools by the first deny, else ask, else allow, else the default", () => {
    holds(
      fc.property(policy, act, (data, target) => {
        if (target.type === "exec" && target.argv) return;
        const first = (["deny", "ask", "allow"] as const)
          .map((wanted) => ({ effect: wanted, found: matching(data, target, wanted) }))
          .find(({ found }) => found);
        const expected: Verdict = first
          ? { effect: first.effect, ...first.found }
          : { effect: data.defaults[target.type] };
        expect(explain(data, target)).toStrictEqual(expected);
      }),
    );
  });

  it("never lets a command do more than its program alone may", () => {
    holds(
      fc.property(policy, words, (data, argv) => {
        const target = argv[0] ?? "";
        const program = explain(data, { type: "exec", target });
        const command = explain(data, { type: "exec", target, argv });
        expect(strictness[command.effect]).toBeGreaterThanOrEqual(strictness[program.effect]);
      }),
    );
  });

  it("never lets a contained policy be more permissive than any policy above it, at depths 1 to 5", () => {
    holds(
      fc.property(policy, fc.array(policy, { minLength: 1, maxLength: 5 }), act, (root, children, target) => {
        const line = [root];
        for (const child of children) line.push(contain(line.at(-1) ?? root, child));
        const levels = line.map((data) => strictness[explain(data, target).effect]);
        expect(levels).toEqual([...levels].sort());
      }),
    );
  });

  it("keeps, in a contained policy, every refusal that the child's own rules make and every ask at least an ask", () => {
    holds(
      fc.property(policy, policy, act, (parent, child, target) => {
        const own = matching(child, target, "deny") ? 2 : matching(child, target, "ask") ? 1 : 0;
        expect(strictness[explain(contain(parent, child), target).effect]).toBeGreaterThanOrEqual(own);
      }),
    );
  });

  it("never loosens a default, a deny or an ask by a merge", () => {
    holds(
      fc.property(policy, policy, act, (base, overlay, target) => {
        const merged = merge(base, overlay);
        for (const type of ["read", "write", "exec", "net"] as const) {
          expect(strictness[merged.defaults[type]]).toBe(
            Math.max(strictness[base.defaults[type]], strictness[overlay.defaults[type]]),
          );
        }
        const before = explain(base, target);
        if (before.rule === undefined) return;
        expect(strictness[explain(merged, target).effect]).toBeGreaterThanOrEqual(strictness[before.effect]);
      }),
    );
  });

  it("means and attributes the same after a trip through JSON", () => {
    holds(
      fc.property(policy, act, (data, target) => {
        const value = Policy.fromJSON(data);
        const again = Policy.fromJSON(JSON.parse(JSON.stringify(value)));
        expect(again.toJSON()).toStrictEqual(data);
        expect(parsePolicy(again.toJSON())).toStrictEqual(data);
        expect(again.explain(target)).toStrictEqual(explain(data, target));
      }),
    );
  });

  it("explains in a fluent policy what it enforces as data", () => {
    holds(
      fc.property(policy, policy, act, (a, b, target) => {
        const [one, two] = [Policy.fromJSON(a), Policy.fromJSON(b)];
        expect(one.merge(two).explain(target)).toStrictEqual(explain(merge(a, b), target));
        expect(one.contain(two).explain(target)).toStrictEqual(explain(contain(a, b), target));
      }),
    );
  });
});
