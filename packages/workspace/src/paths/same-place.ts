// Whether two answers of the system are about one place. The whole of what "is it still what was judged" comes down to.
import type { BigIntStats } from "node:fs";
import type { Root } from "./root.js";

/** Two real paths, with regard to case only where the volume has any. */
export function isSamePath(root: Root, a: string, b: string): boolean {
  if (!root.foldsCase) return a === b;
  return a.normalize("NFC").toLowerCase() === b.normalize("NFC").toLowerCase();
}

export function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}
