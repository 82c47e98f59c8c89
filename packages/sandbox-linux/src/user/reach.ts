// Which places a user gets to at all. A wrapper without root's rights cannot put anything where it does not, and need not: there
// neither it nor the command sees what is behind.
import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Places } from "@harness/sandbox-floor";

export interface Identity {
  readonly uid: number;
  readonly groups: readonly number[];
}

/** Asks of a path, absolute and resolved, whether every folder above it lets the user through. Remembers what it has seen. */
export function reachOf({ uid, groups }: Identity): (path: string) => boolean {
  const seen = new Map<string, boolean>();

  function letsThrough(folder: string): boolean {
    const known = seen.get(folder);
    if (known !== undefined) return known;
    const lets = (folder === "/" || letsThrough(dirname(folder))) && isOpen(folder);
    seen.set(folder, lets);
    return lets;
  }

  function isOpen(folder: string): boolean {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (!stats) return false;
    // In a namespace root's rights end where files are somebody else's.
    if (uid === 0 && stats.uid === 0) return true;
    const who = stats.uid === uid ? 0o100 : groups.includes(stats.gid) ? 0o010 : 0o001;
    return (stats.mode & who) !== 0;
  }

  return (path) => letsThrough(dirname(path));
}

type Reached = Pick<Places, "writable" | "pinned" | "protected" | "hidden">;

/** Those of `places` that the user gets to. */
export function reachable<Some extends Reached>(places: Some, reach: (path: string) => boolean): Some {
  return {
    ...places,
    writable: places.writable.filter(reach),
    pinned: places.pinned.filter(reach),
    protected: places.protected.filter(reach),
    hidden: places.hidden.filter(({ path }) => reach(path)),
  };
}
