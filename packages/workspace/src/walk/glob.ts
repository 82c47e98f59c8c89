// Globs for find and grep: a glob without a slash is about file names, any other about paths, counted from the workspace
// root or from the folder searched.
import type { Place } from "../paths/place.js";

export type MatchesGlob = (file: Place) => boolean;

/** Reads `glob` for a search that starts at `start`. No glob, or an empty one, matches everything. */
export async function globMatcher(glob: string | undefined, start: Place): Promise<MatchesGlob> {
  if (!glob) return () => true;
  const { default: picomatch } = await import("picomatch");
  const isMatch = picomatch(glob, {
    dot: true,
    nocase: start.root.foldsCase,
    // Paths here have `/` on every system.
    windows: false,
    // Repeated groups can take exponential time to match.
    noextglob: true,
  });
  const skipped = start.target === "." ? 0 : start.target.length + 1;
  return ({ target }) => {
    const name = target.slice(target.lastIndexOf("/") + 1);
    return isMatch(name) || isMatch(target) || isMatch(target.slice(skipped));
  };
}
