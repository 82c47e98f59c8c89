// The order of places. What lies deeper decides: a grant inside a hidden folder is granted, a protected name inside a grant is
// protected. So what lies above is put in place first, and what another place covers already is left out.
import { dirname, join } from "node:path";
import { distinct, foldersAbove, isBelow } from "./paths.js";
import type { HiddenPlace, Places } from "./places.js";

export interface Found {
  readonly writable: readonly string[];
  readonly protected: readonly string[];
  readonly hidden: readonly HiddenPlace[];
  /** `above` is the folder nearest to `path` that is there. */
  readonly watched: readonly { readonly path: string; readonly above: string }[];
}

/** One thing to put in place. */
export type PlaceLayer =
  | { readonly type: "writable" | "pinned" | "protected"; readonly path: string }
  | { readonly type: "hidden"; readonly path: string; readonly isFolder: boolean };

/** `found` without what does not count, in order, with the folders to pin. */
export function arranged(found: Found): Pick<Places, "writable" | "protected" | "pinned" | "hidden" | "watched"> {
  const covers = coversOf(found);
  const writable = distinct(found.writable).filter((path) => covers.at(path) === "writable");
  // A protected name under a folder that cannot be written anyway needs nothing; nor does a hidden one under a hidden one.
  const guarded = distinct(found.protected).filter(
    (path) => covers.at(path) === "protected" && covers.above(path) === "writable",
  );
  const hidden = [...new Map(found.hidden.map((place) => [place.path, place])).values()].filter(
    ({ path }) => covers.above(path) !== "hidden",
  );
  const watched = found.watched.filter(({ path }) => covers.above(path) === "writable");
  const inside = new Set([
    ...guarded,
    ...hidden.map(({ path }) => path),
    ...watched.map(({ above }) => join(above, anyName)),
  ]);
  return {
    ...{ writable, protected: shortestFirst(guarded), pinned: pinsOf(inside, writable, covers) },
    hidden: hidden.sort((one, other) => byLength(one.path, other.path)),
    watched: shortestFirst(distinct(watched.map(({ path }) => path))),
  };
}

/** Only folders that are there can be pinned: up to the nearest to what is not. */
const anyName = "watched";

/**
 * Everything in the order in which it is put in place: what lies above before what lies in it, and what takes away after what
 * grants. Also the order for rules of which the last that matches decides.
 */
export function layersOf(places: Pick<Places, "writable" | "pinned" | "protected" | "hidden">): readonly PlaceLayer[] {
  const layers: PlaceLayer[] = [
    ...places.writable.map((path) => ({ type: "writable", path }) as const),
    ...places.pinned.map((path) => ({ type: "pinned", path }) as const),
    ...places.protected.map((path) => ({ type: "protected", path }) as const),
    ...places.hidden.map((place) => ({ type: "hidden", ...place }) as const),
  ];
  // Stable, so layers of the same path keep the order of this list.
  return layers.sort((one, other) => one.path.length - other.path.length);
}

type Kind = "writable" | "protected" | "hidden";

/** What decides about a path: the place that it is, or else the nearest above it. */
interface Covers {
  at(path: string): Kind | undefined;
  above(path: string): Kind | undefined;
}

function coversOf(found: Found): Covers {
  // The stricter one where two have the same path.
  const kinds = new Map<string, Kind | undefined>();
  for (const path of found.writable) kinds.set(path, "writable");
  for (const path of found.protected) kinds.set(path, "protected");
  for (const { path } of found.hidden) kinds.set(path, "hidden");

  function at(path: string): Kind | undefined {
    if (!kinds.has(path)) kinds.set(path, above(path));
    return kinds.get(path);
  }

  function above(path: string): Kind | undefined {
    const folder = dirname(path);
    return folder === path ? undefined : at(folder);
  }

  return { at, above };
}

function pinsOf(inside: Iterable<string>, writable: readonly string[], covers: Covers): readonly string[] {
  const pins = new Set<string>();
  for (const path of inside) {
    for (const folder of foldersAbove(path)) {
      if (!writable.some((root) => isBelow(root, folder))) break;
      if (covers.at(folder) === "writable") pins.add(folder);
    }
  }
  return shortestFirst([...pins]);
}

function shortestFirst(paths: readonly string[]): readonly string[] {
  return [...paths].sort(byLength);
}

// What lies above has the shorter path.
function byLength(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}
