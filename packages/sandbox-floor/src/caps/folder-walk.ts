// Looks at what lies below a folder, nearest first, a step at a time: a caller stops when it has seen enough, or goes on
// later. Links are seen and not followed; what may not be read is passed over.
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isAtLimit } from "./rlimits.js";

export function* entriesBelow(folder: string): Generator<Stats, void> {
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    for (const name of namesIn(next)) {
      const path = join(next, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      if (stats.isDirectory()) folders.push(path);
      yield stats;
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const mostEntries = 5_000;

/** Whether a file at its limit of `bytes` below `folder`, near enough to be found soon, was written to in the last `ms`. */
export function hasNewFileAt(folder: string, bytes: number, ms: number): boolean {
  const now = Date.now();
  let seen = 0;
  for (const entry of entriesBelow(folder)) {
    if (entry.isFile() && isAtLimit(entry.size, bytes) && now - entry.mtimeMs <= ms) return true;
    seen += 1;
    if (seen >= mostEntries) return false;
  }
  return false;
}
