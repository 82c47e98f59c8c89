// Removes the working folders whose owners are gone: killed, or a machine that lost power. Several processes may do so at
// once; what one has removed, the other does not find.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProcessTable } from "../process-rows.js";
import { codeOf } from "../workdir/left-out.js";
import { removeTree } from "../workdir/remove-tree.js";
import { isGone, type Owner, ownerOf } from "./owner.js";

export interface SweepOptions {
  readonly table?: ProcessTable;
  /** The superuser's commands run as others here, who own the folders that it made for them. */
  readonly hasOthers?: boolean;
}

/** Resolves to what could not be removed, each with the system's code. Leaves alone what is not certainly ours and dead. */
export async function sweep(
  parent: string,
  self: Owner,
  { table, hasOthers = false }: SweepOptions = {},
): Promise<readonly { readonly path: string; readonly code: string }[]> {
  const stuck: { path: string; code: string }[] = [];
  for (const name of namesIn(parent)) {
    const owner = ownerOf(name);
    const path = join(parent, name);
    if (!owner || !isGone(owner, self, table) || !isOurFolder(path, hasOthers)) continue;
    const code = await removeTree(path);
    if (code !== undefined) stuck.push({ path, code });
  }
  return stuck;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // A parent in which one may make folders, and not look.
    if (codeOf(error) === "EACCES") return [];
    throw error;
  }
}

function isOurFolder(path: string, hasOthers: boolean): boolean {
  try {
    const stats = lstatSync(path);
    const user = process.geteuid?.();
    return stats.isDirectory() && (user === undefined || stats.uid === user || (hasOthers && user === 0));
  } catch {
    return false;
  }
}
