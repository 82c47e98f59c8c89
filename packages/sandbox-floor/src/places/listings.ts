// What is in folders, remembered: a folder whose entries have not changed since need not be read again, so a look at a workspace
// that was looked at before costs one call for each folder. Shared by all commands of the process.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { statsOf } from "./paths.js";

export interface Listing {
  readonly folders: readonly string[];
  /** Files, links and the rest. */
  readonly others: readonly string[];
  /** What has a name that is no UTF-8, so that no path leads there: as shown, invalid bytes replaced. */
  readonly odd: readonly string[];
}

/** One look at many folders: each is asked about once, and seen as it was then. */
export interface Listings {
  /** What is in the folder at `path`, the same object as long as it is the same; the system's code where it cannot be read. */
  of(path: string): Listing | string;
  /** True when it is certain that `folder` has no `name`; of a name with several parts it is the first that counts. */
  lacks(folder: string, name: string): boolean;
}

export interface ListingMemory {
  look(): Listings;
}

interface Memory {
  readonly device: number;
  readonly inode: number;
  readonly changedMs: number;
  readonly listing: Listing;
  /** Changed long enough before it was read that a later change has another time. */
  readonly isSettled: boolean;
}

/** Volumes tell times in steps of up to two seconds. */
const coarsestMs = 2_000;
const mostFolders = 20_000;

let shared: ListingMemory | undefined;

export function processListings(): Listings {
  shared ??= listingMemory();
  return shared.look();
}

/** `now` is the time of day by which volumes tell when a folder changed, in ms. */
export function listingMemory(now: () => number = Date.now): ListingMemory {
  const memories = new Map<string, Memory>();

  function listingAt(path: string): Listing | string {
    const stats = statsOf(path);
    if (!stats?.isDirectory()) return stats ? "ENOTDIR" : "ENOENT";
    // Not the time of the last change of contents, which anyone may set.
    const { dev: device, ino: inode, ctimeMs: changedMs } = stats;
    const known = memories.get(path);
    const isKnown = known?.changedMs === changedMs && known.inode === inode && known.device === device;
    if (isKnown && known.isSettled) return known.listing;
    const isSettled = now() - changedMs > coarsestMs;
    const read = listingOf(path);
    memories.delete(path);
    if (typeof read === "string") return read;
    const listing = known && isSame(known.listing, read) ? known.listing : read;
    if (memories.size >= mostFolders) memories.delete(memories.keys().next().value as string);
    memories.set(path, { device, inode, changedMs, listing, isSettled });
    return listing;
  }

  return { look: () => lookBy(listingAt) };
}

function lookBy(listingAt: (path: string) => Listing | string): Listings {
  const seen = new Map<string, Listing | string>();

  function of(path: string): Listing | string {
    const before = seen.get(path);
    if (before !== undefined) return before;
    const listing = listingAt(path);
    seen.set(path, listing);
    return listing;
  }

  return {
    of,
    lacks(folder, name) {
      const listing = of(folder);
      if (typeof listing === "string") return false;
      const end = name.indexOf("/");
      return !lowerCaseNames(listing).has((end === -1 ? name : name.slice(0, end)).toLowerCase());
    },
  };
}

const lowered = new WeakMap<Listing, ReadonlySet<string>>();

/** Small letters, because on some volumes they are the same. */
function lowerCaseNames(listing: Listing): ReadonlySet<string> {
  const known = lowered.get(listing);
  if (known) return known;
  const names = new Set([...listing.folders, ...listing.others].map((name) => name.toLowerCase()));
  lowered.set(listing, names);
  return names;
}

function listingOf(path: string): Listing | string {
  const listing = { folders: [] as string[], others: [] as string[], odd: [] as string[] };
  try {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const { name } = entry;
      if (name.includes("\uFFFD") && statsOf(join(path, name)) === undefined) listing.odd.push(name);
      else if (entry.isDirectory()) listing.folders.push(name);
      else listing.others.push(name);
    }
    return listing;
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
}

function isSame(one: Listing, other: Listing): boolean {
  return (["folders", "others", "odd"] as const).every((part) => one[part].join("\0") === other[part].join("\0"));
}
