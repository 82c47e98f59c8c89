// Where a file that is copied back really goes. Links in the destination are somebody's layout and are followed as long as
// they stay inside; they are resolved first and compared when the folders are opened, so one that is swapped is found.
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { open } from "node:fs/promises";
import { sep } from "node:path";
import { type HeldFolder, holdFolder } from "./held-folder.js";
import { codeOf } from "./left-out.js";

/** `folders` below `to` with links resolved; what is missing stays as it is. `undefined` when a link leads out, or nowhere. */
export function destinationParts(to: string, folders: readonly string[]): readonly string[] | undefined {
  let parts: readonly string[] = [];
  for (const folder of folders) {
    parts = [...parts, folder];
    const path = [to, ...parts].join(sep);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    const inside = resolved(to, path);
    if (!inside) return undefined;
    parts = inside;
  }
  return parts;
}

function resolved(to: string, path: string): readonly string[] | undefined {
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return undefined;
  }
  if (real === to) return [];
  const start = to.endsWith(sep) ? to : to + sep;
  return real.startsWith(start) ? real.slice(start.length).split(sep) : undefined;
}

/**
 * The folder at `parts` below `to`, which hold no links; what is missing is made, and the folder that got it is added to
 * `touched`. `undefined` when one is elsewhere by now. Throws the system's error: `ENOTDIR` for a file in a folder's place.
 */
export function holdMade(to: string, parts: readonly string[], touched: Set<string>): HeldFolder | undefined {
  let folder = holdFolder(to);
  let place = to;
  for (const part of parts) {
    const above = folder;
    try {
      if (!above.isInPlace()) return undefined;
      if (makeFolder(above.at(part))) touched.add(place);
      place += sep + part;
      folder = holdFolder(above.at(part), place);
    } finally {
      above.close();
    }
  }
  return folder;
}

/** False when there is something already; whether it is a folder is seen when it is opened. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

// Some systems cannot sync a folder, and say so in one of these ways; or it has moved since, with all that is in it.
const cannotSync = new Set([
  "EINVAL",
  "EPERM",
  "EACCES",
  "EBADF",
  "EISDIR",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOENT",
  "ENOTDIR",
]);

/** Makes the names in a folder durable, where the system can. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!cannotSync.has(codeOf(error))) throw error;
  }
}
