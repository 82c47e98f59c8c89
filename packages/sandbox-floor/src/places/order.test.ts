import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arranged, type Found, layersOf } from "./order.js";
import { isBelow, isWithin } from "./paths.js";

// A small world, so that places often lie in each other.
const path = fc
  .array(fc.constantFrom("a", "b", "cc"), { minLength: 1, maxLength: 5 })
  .map((parts) => `/${parts.join("/")}`);
const paths = fc.array(path, { maxLength: 6 });
const found: fc.Arbitrary<Found> = fc.record({
  writable: paths,
  protected: paths,
  hidden: fc.array(fc.record({ path, isFolder: fc.boolean() }), { maxLength: 6 }),
  watched: paths.map((all) => all.map((each) => ({ path: `${each}/new`, above: each }))),
});

/** What a backend makes of `path` that goes through the layers and lets the last one decide that it lies in. */
function verdict(places: Parameters<typeof layersOf>[0], path: string): string {
  const layers = layersOf(places).filter((layer) => layer.type !== "pinned" && isWithin(layer.path, path));
  return layers.at(-1)?.type ?? "none";
}

/** What was meant: the nearest place above decides, and of two at one path the stricter. */
function meant({ writable, protected: guarded, hidden }: Found, path: string): string {
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    if (hidden.some((place) => place.path === at)) return "hidden";
    if (guarded.includes(at)) return "protected";
    if (writable.includes(at)) return "writable";
  }
  return "none";
}

describe("the order of places", () => {
  it("says of every path what the nearest place above it says", () => {
    fc.assert(
      fc.property(found, path, (given, path) => {
        const [is, ought] = [verdict(arranged(given), path), meant(given, path)];
        // What cannot be written anyway need not be protected.
        const isSame = is === ought || (ought === "protected" && ["none", "hidden"].includes(is));
        expect([isSame, is, ought]).toEqual([true, is, ought]);
      }),
    );
  });

  it("puts what lies above before what lies in it", () => {
    fc.assert(
      fc.property(found, (given) => {
        const layers = layersOf(arranged(given));
        layers.forEach((layer, index) => {
          for (const earlier of layers.slice(0, index)) expect(isBelow(layer.path, earlier.path)).toBe(false);
        });
      }),
    );
  });

  it("pins every folder between something writable and what is protected or hidden in it, and no other", () => {
    fc.assert(
      fc.property(found, (given) => {
        const places = arranged(given);
        const inside = [...places.protected, ...places.hidden.map((place) => place.path), ...places.watched];
        const expected = new Set<string>();
        for (const target of inside) {
          for (let at = above(target); at !== ""; at = above(at)) {
            const isBetween = places.writable.some((root) => isBelow(root, at));
            if (isBetween && meant(given, at) === "writable") expected.add(at);
          }
        }
        expect(new Set(places.pinned)).toEqual(expected);
        expect([...places.pinned].sort((one, other) => one.length - other.length)).toEqual(places.pinned);
        expect(places.pinned.length).toBe(expected.size);
      }),
    );
  });

  it("has nothing twice, and nothing that another place covers already", () => {
    fc.assert(
      fc.property(found, (given) => {
        const { writable, protected: guarded, hidden } = arranged(given);
        for (const list of [writable, guarded, hidden.map((place) => place.path)]) {
          expect(new Set(list).size).toBe(list.length);
        }
        for (const place of hidden) expect(meant(given, above(place.path) || "/none")).not.toBe("hidden");
        for (const place of guarded) expect(meant(given, above(place) || "/none")).toBe("writable");
      }),
    );
  });
});

function above(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
