// After a command: what is protected and came into being is removed, and a link that was changed is put back. Nothing is reached
// through a link: the folder that was there before is held open, and from there on only names are looked at.
import { readlinkSync, symlinkSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type HeldFolder, holdFolder } from "../workdir/held-folder.js";
import type { Aftermath } from "../wrapped.js";
import type { Watched } from "./guard.js";
import { type Listings, processListings } from "./listings.js";
import { statsOf } from "./paths.js";
import { moved, removeIn } from "./remove-in.js";

export async function setRight(watched: readonly Watched[]): Promise<Required<Aftermath>> {
  const undone: string[] = [];
  const warnings: string[] = [];
  const listings = processListings();
  for (const each of watched) {
    if (isAsBefore(each, listings)) continue;
    try {
      undone.push(...(await putRight(each)));
    } catch (error) {
      const code = (error as { code?: unknown }).code ?? error;
      warnings.push(
        `${JSON.stringify(each.path)} is protected and was changed by a command; it could not be put right (${code}).`,
      );
    }
  }
  return { undone, warnings };
}

function isAsBefore(watched: Watched, listings: Listings): boolean {
  const { path, above } = watched;
  if (watched.type !== "link" && listings.lacks(above, relative(above, path))) return true;
  const stats = statsOf(path);
  switch (watched.type) {
    case "link":
      return stats?.isSymbolicLink() === true && readlinkSync(path) === watched.text;
    case "repository":
      // A new one is no harm, and is seen to by itself.
      return stats === undefined || stats.isDirectory();
    case "name":
      return stats === undefined;
    default:
      return watched satisfies never;
  }
}

async function putRight(watched: Watched): Promise<readonly string[]> {
  const { path, above } = watched;
  const folder = holdFolder(above);
  try {
    if (!folder.isInPlace()) throw moved();
    const parts = path.slice(above.length).split(sep).filter(Boolean);
    const at = firstLinkOrLast(folder, parts);
    if (at === undefined) return [];
    const place = join(above, ...at);
    const isWhole = at.length === parts.length;
    const name = at.join(sep);
    await removeIn(folder, name);
    if (isWhole && watched.type === "link") symlinkSync(watched.text, folder.at(name));
    return [place];
  } finally {
    folder.close();
  }
}

/** The names that lead to the first link on the way, or to the end of it; `undefined` when there is nothing. */
function firstLinkOrLast(folder: HeldFolder, parts: readonly string[]): readonly string[] | undefined {
  for (let count = 1; count <= parts.length; count += 1) {
    const names = parts.slice(0, count);
    const stats = statsOf(folder.at(names.join(sep)));
    if (stats === undefined) return count === parts.length ? names : undefined;
    if (stats.isSymbolicLink()) return names;
  }
  return parts;
}
