// What the rules deny of what is in the workspace. A rule may be about a name at any depth, so all of it is looked at, nearest
// first and up to a bound; a folder that is denied as a whole is one place, and is not looked into.
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { notStarted } from "../failures.js";
import type { Listings } from "./listings.js";
import type { Settings } from "./settings.js";
import { isWhole, type Spot, type Verdicts, verdictsFor } from "./verdicts.js";

export interface Denied {
  /** As they are named in the workspace; links are not resolved. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly warnings: readonly string[];
}

const bound = 50_000;
/** After so many entries other work gets its turn. */
const entriesPerTurn = 2_000;

/** Looks at `mostEntries` at most. Rejects with `SandboxError` `setup-failed` when nothing in the workspace may be read. */
export async function deniedPlaces(
  { command, workspace }: Settings,
  listings: Listings,
  mostEntries = bound,
): Promise<Denied> {
  const { isDenied, argv } = command;
  if (isDenied === undefined) return { read: [], write: [], warnings: [] };
  if (isWhole(isDenied, "read", "")) {
    const reason = "a rule denies to read all of its workspace";
    throw notStarted("setup-failed", argv, reason, "Deny the parts of it that are secret, or give another workspace.");
  }
  const isProtected = isWhole(isDenied, "write", "");
  const walk: Walk = {
    ...{ workspace, listings, verdicts: verdictsFor(isDenied), mostEntries },
    ...{ read: [], write: isProtected ? [workspace] : [], skipped: [], unread: [], odd: [] },
  };
  await walkFrom({ relative: "", isProtected }, walk);
  return { read: walk.read, write: walk.write, warnings: warningsOf(walk) };
}

interface Walk {
  readonly workspace: string;
  readonly listings: Listings;
  readonly verdicts: Verdicts;
  readonly mostEntries: number;
  readonly read: string[];
  readonly write: string[];
  /** Folders that were not looked at since that would have been too much, or could not be. */
  readonly skipped: string[];
  readonly unread: string[];
  /** Denied, and not to be named. */
  readonly odd: string[];
}

async function walkFrom(top: Spot, walk: Walk): Promise<void> {
  let [seen, turn] = [0, entriesPerTurn];
  for (let waiting: readonly Spot[] = [top]; waiting.length > 0; ) {
    const deeper: Spot[] = [];
    for (const spot of waiting) {
      const looked = look(walk, spot, seen);
      seen += looked.entries;
      deeper.push(...looked.folders);
      if (seen < turn) continue;
      turn = seen + entriesPerTurn;
      await nextTurn();
    }
    waiting = deeper;
  }
}

const nothing = { entries: 0, folders: [] };

/** Looks at one folder, unless that would be too much after the entries `seen`. */
function look(walk: Walk, spot: Spot, seen: number): { readonly entries: number; readonly folders: readonly Spot[] } {
  const { workspace, listings, verdicts, mostEntries } = walk;
  const folder = join(workspace, spot.relative);
  const listing = seen < mostEntries ? listings.of(folder) : undefined;
  if (typeof listing === "string") {
    if (listing !== "ENOENT") walk.unread.push(folder);
    return nothing;
  }
  const entries = listing ? listing.folders.length + listing.others.length : 1;
  if (listing === undefined || seen + entries > mostEntries) {
    walk.skipped.push(folder);
    return nothing;
  }
  const verdict = verdicts(spot, listing);
  for (const part of ["read", "write", "odd"] as const) {
    walk[part].push(...verdict[part].map((name) => join(folder, name)));
  }
  return { entries, folders: verdict.folders };
}

function warningsOf({ skipped, unread, odd, mostEntries }: Walk): readonly string[] {
  const say = (paths: readonly string[], sentence: (which: string) => string) =>
    paths.length === 0
      ? []
      : [sentence(`${JSON.stringify(paths[0])}${paths.length > 1 ? ` and ${paths.length - 1} more` : ""}`)];
  const notApplied = "The policy's rules about files were not applied in";
  return [
    ...say(skipped, (which) => `${notApplied} ${which}: the workspace has more than ${mostEntries} entries.`),
    ...say(unread, (which) => `${notApplied} ${which}: it cannot be listed.`),
    ...say(odd, (which) => `The policy's rules do not hold for ${which}: a name that is not UTF-8 cannot be named.`),
  ];
}
