// Removes one thing in a folder that is held open, be it a file, a link or a folder with all that is in it.
import { unlinkSync } from "node:fs";
import type { HeldFolder } from "../workdir/held-folder.js";
import { removeTree } from "../workdir/remove-tree.js";
import { statsOf } from "./paths.js";

/** `name` may have several parts. Does nothing when it is not there; rejects with the system's error when it stays. */
export async function removeIn(folder: HeldFolder, name: string): Promise<void> {
  const path = folder.at(name);
  const stats = statsOf(path);
  if (stats === undefined) return;
  if (!stats.isDirectory()) return unlinkSync(path);
  const code = await removeTree(path);
  if (code !== undefined) throw Object.assign(new Error(`${code}: could not be removed`), { code });
}

/** A link was put in its place, or in that of a folder above it: what is there now is not what is to be put right. */
export function moved(): Error {
  return Object.assign(new Error("a folder above it was moved"), { code: "it was moved" });
}
