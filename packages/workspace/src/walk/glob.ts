// Globs for find and grep: a glob without a slash is about file names, any other about paths, counted from the workspace
// root or from the folder searched.
import picomatch from "picomatch";
import type { Place } from "../paths/place.js";

/** Whether the file at `path` (relative to the root) is meant. */
export type MatchesGlob = (path: string) => boolean;

/** Reads `glob` for a search that starts at `start`. No glob, or an empty one, matches everything. */
export function globMatcher(glob: string | undefined, start: Place): MatchesGlob {
  if (!glob) return () => true;
  const isMatch = picomatch(glob, {
    dot: true,
    nocase: start.root.foldsCase,
    // Paths here have `/` on every system.
    windows: false,
    // Repeated groups can take exponential time to match.
    noextglob: true,
  });
  const skipped = start.target === "." ? 0 : start.target.length + 1;
  return (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return isMatch(name) || isMatch(path) || isMatch(path.slice(skipped));
  };
}
