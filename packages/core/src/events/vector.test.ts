import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyVector, items, last, push, type Vector } from "./vector.js";

/** A push onto one of the versions made so far, which `onto` picks. */
const pushes = fc.array(fc.record({ onto: fc.nat(), item: fc.integer() }), { maxLength: 60 });

/** Every version that `steps` make, beside a plain copy of what it must hold. */
function versionsOf(steps: readonly { onto: number; item: number }[]) {
  const versions: { vector: Vector<number>; model: readonly number[] }[] = [{ vector: emptyVector(), model: [] }];
  for (const { onto, item } of steps) {
    const { vector, model } = versions[onto % versions.length] as (typeof versions)[number];
    versions.push({ vector: push(vector, item), model: [...model, item] });
  }
  return versions;
}

describe("a vector", () => {
  it("holds what was pushed onto it, whatever is pushed onto other versions", () => {
    fc.assert(
      fc.property(pushes, (steps) => {
        for (const { vector, model } of versionsOf(steps)) {
          expect(items(vector)).toEqual(model);
          expect(vector.length).toBe(model.length);
          expect(last(vector)).toBe(model.at(-1));
        }
      }),
    );
  });

  it("gives out lists of the caller's own", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (list) => {
        const vector = list.reduce<Vector<number>>(push, emptyVector());
        items(vector).fill(0).push(1);
        expect(items(vector)).toEqual(list);
      }),
    );
  });

  it("shares what it has when the newest version grows, and copies for an older one", () => {
    const one = push(emptyVector<string>(), "a");
    const two = push(one, "b");
    const other = push(one, "c");

    expect(two.shared).toBe(one.shared);
    expect(other.shared).not.toBe(one.shared);
    expect([items(two), items(other), items(one)]).toEqual([["a", "b"], ["a", "c"], ["a"]]);
  });

  it("has no last item while it is empty", () => {
    expect(last(emptyVector())).toBeUndefined();
  });

  it("holds undefined like anything else", () => {
    const vector = push(push(emptyVector<number | undefined>(), undefined), 1);

    expect(items(vector)).toEqual([undefined, 1]);
  });
});
