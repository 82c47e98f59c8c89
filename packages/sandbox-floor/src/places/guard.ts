// Collects what is to be protected, path by path: what is there is protected where it really is, a name that is not there and a
// link are watched. Only what lies in something writable counts.
import { readlinkSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { Listings } from "./listings.js";
import { isInAny, resolved, statsOf } from "./paths.js";

/** To be looked at again after the command. `above` is the folder nearest to `path` that is there. */
export type Watched =
  | { readonly type: "name" | "repository"; readonly path: string; readonly above: string }
  | { readonly type: "link"; readonly path: string; readonly above: string; readonly text: string };

export interface Guard {
  /** What a link leads to is protected as well, unless `isTargetOpen`. */
  add(path: string, options?: { readonly isTargetOpen?: boolean }): void;
  /** `name` in `folder`, which is resolved. */
  addIn(folder: string, name: string): void;
  readonly found: { readonly paths: readonly string[]; readonly watched: readonly Watched[] };
}

export function guardOf(writable: readonly string[], listings: Listings): Guard {
  const found = { paths: [] as string[], watched: [] as Watched[] };
  const { placeOf, missingBehind } = placeFinder();
  const isInside = (path: string) => isInAny(writable, path);

  function watch(watched: Watched): void {
    if (isInside(watched.path)) found.watched.push(watched);
  }

  function addLink(path: string, text: string, real: string | undefined, isTargetOpen: boolean): void {
    watch({ type: "link", ...placeOf(path), text });
    if (real === undefined) watch({ type: "name", ...missingBehind(path) });
    else if (!isTargetOpen && isInside(real)) found.paths.push(real);
  }

  function add(path: string, { isTargetOpen = false } = {}): void {
    const stats = statsOf(path);
    const text = stats?.isSymbolicLink() ? linkText(path) : undefined;
    const real = stats && resolved(path);
    if (stats === undefined) watch({ type: kindOf(path), ...placeOf(path) });
    else if (text !== undefined) addLink(path, text, real, isTargetOpen);
    else if (isInside(real ?? path)) found.paths.push(real ?? path);
  }

  return {
    found,
    add,
    addIn(folder, name) {
      const path = `${folder}/${name}`;
      if (listings.lacks(folder, name)) watch({ type: kindOf(path), path, above: folder });
      else add(path);
    },
  };
}

/** A new repository is no harm; what git obeys in it may be. */
function kindOf(path: string): "name" | "repository" {
  return basename(path) === ".git" ? "repository" : "name";
}

interface Place {
  readonly path: string;
  /** The folder nearest to `path` that is there. */
  readonly above: string;
}

const mostLinks = 40;

/** Finds places of what is not there. Most names are in the same few folders, each of which is resolved once. */
function placeFinder() {
  const folders = new Map<string, string | undefined>();

  function folderAt(path: string): string | undefined {
    if (!folders.has(path)) folders.set(path, resolved(path));
    return folders.get(path);
  }

  /** Where `path` would be: the folders above it resolved as far as they are there. */
  function placeOf(path: string): Place {
    const missing: string[] = [];
    for (let at = path; ; at = dirname(at)) {
      const above = folderAt(dirname(at));
      missing.unshift(basename(at));
      if (above !== undefined) return { path: join(above, ...missing), above };
    }
  }

  /** The first name that is not there on the way of the link at `path`. */
  function missingBehind(path: string): Place {
    let place = placeOf(path);
    for (let count = 0; count < mostLinks; count += 1) {
      const text = linkText(place.path);
      if (text === undefined) break;
      place = placeOf(resolve(dirname(place.path), text));
    }
    const [first = ""] = place.path.slice(place.above.length).split(sep).filter(Boolean);
    return { path: join(place.above, first), above: place.above };
  }

  return { placeOf, missingBehind };
}

function linkText(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
