// The cap on a command's own temporary folder. A large folder is walked over several looks, so that no look takes long; a
// sum over the cap is therefore put together from several moments, and is only the reason to count once more, in one go.
import type { Stats } from "node:fs";
import { entriesBelow } from "./folder-walk.js";

/** Entries of one look. */
const stride = 1_000;

/** Asked at every look: is there more in `folder` than `maxBytes`, counted as what it takes on the disk? */
export function tempCheck(folder: string, maxBytes: number): () => boolean {
  let walk = entriesBelow(folder);
  let total = 0;

  function start(): void {
    walk = entriesBelow(folder);
    total = 0;
  }

  return () => {
    for (let step = 0; step < stride; step += 1) {
      const { value, done } = walk.next();
      if (done) {
        start();
        return false;
      }
      total += bytesOf(value);
      if (total > maxBytes) {
        start();
        return holdsMoreThan(folder, maxBytes);
      }
    }
    return false;
  };
}

function holdsMoreThan(folder: string, maxBytes: number): boolean {
  let total = 0;
  for (const entry of entriesBelow(folder)) {
    total += bytesOf(entry);
    if (total > maxBytes) return true;
  }
  return false;
}

/** What it takes, not how long it is: a file may have holes. */
function bytesOf({ blocks }: Stats): number {
  return blocks * 512;
}
