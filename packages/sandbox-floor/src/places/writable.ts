// What a command may write: its workspace, the roots it was given, and the caches of toolchains. A grant is for the folder that
// was named. One that turns out to be a link to a wider place is none.
import { normalize } from "node:path";
import type { Listings } from "./listings.js";
import { isBelow, isFolder, isWithin, resolved, statsOf } from "./paths.js";
import type { Settings } from "./settings.js";
import { toolchainCaches } from "./toolchain-caches.js";

export interface Granted {
  /** Resolved, the workspace first. */
  readonly paths: readonly string[];
  /** Those in which default names are protected: all but the caches. */
  readonly projects: readonly string[];
  readonly warnings: readonly string[];
}

export function writablePlaces(settings: Settings, listings: Listings): Granted {
  const { command, workspace } = settings;
  if (command.mode === "read-only") return { paths: [], projects: [], warnings: [] };
  const warnings: string[] = [];
  const grants = (paths: readonly string[], what: string) =>
    paths.flatMap((path) => {
      const grant = grantOf(path, settings);
      if (grant.type === "wider")
        warnings.push(`The ${what} ${JSON.stringify(path)} leads to ${JSON.stringify(grant.path)}, ${tooWide}`);
      return grant.type === "granted" ? [grant.path] : [];
    });
  const projects = [workspace, ...grants(command.writableRoots ?? [], "folder")];
  return { paths: [...projects, ...grants(cachesOf(settings, listings), "cache")], projects, warnings };
}

const tooWide = "which is wider than what was granted, so it is not writable. Name that folder itself if it is meant.";

type Grant =
  | { readonly type: "granted"; readonly path: string }
  | { readonly type: "wider"; readonly path: string }
  | { readonly type: "absent" };

function grantOf(given: string, { wide }: Settings): Grant {
  const path = resolved(given);
  if (path === undefined || !isFolder(path)) return { type: "absent" };
  const isWider = isLink(normalize(given)) && wide().some((folder) => isWithin(path, folder));
  return { type: isWider ? "wider" : "granted", path };
}

/** By its own name, not because a folder above it is one: where the homes are is the system's affair. */
function isLink(path: string): boolean {
  return !systemLinks.has(path) && statsOf(path.replace(/[\\/]$/, ""))?.isSymbolicLink() === true;
}

/** macOS keeps them elsewhere; who names them means them. */
const systemLinks: ReadonlySet<string> = new Set(["/tmp", "/var/tmp"]);

function cachesOf({ options, environment, home }: Settings, listings: Listings): readonly string[] {
  if (options.caches) return options.caches;
  if (home === undefined) return [];
  const isAbsent = (path: string) => isBelow(home, path) && listings.lacks(home, path.slice(home.length + 1));
  return toolchainCaches({ environment, home }).filter((path) => !isAbsent(path));
}
