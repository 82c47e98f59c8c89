// What a git repository has that git obeys: hooks, settings, and the files that say where those are. A submodule has its own,
// and so has a worktree that stands elsewhere.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { repositoryNames, worktreeNames } from "./default-names.js";
import type { Listings } from "./listings.js";
import { isFolder, resolved, statsOf } from "./paths.js";

/** Something to protect. */
export interface Name {
  /** Resolved. */
  readonly folder: string;
  /** As the lists have it. */
  readonly name: string;
}

const deepestModule = 3;
const mostModules = 200;
const longestPointer = 4_096;

/** What is to be protected behind `path`, something called `.git`: a repository's own folder, a file that points to one, or a link. */
export function namesBehind(path: string, listings: Listings): readonly Name[] {
  const real = resolved(path);
  if (real === undefined) return [];
  if (isFolder(real)) return namesOfRepository(real, listings);
  const own = pointedAt(real, /^gitdir: (.+?)\s*$/m);
  if (own === undefined) return [];
  const common = sharedFolder(own);
  const names = [...namesAt(own, worktreeNames), ...namesOfRepository(own, listings)];
  return common === undefined ? names : [...names, ...namesOfRepository(common, listings)];
}

/** The own folders of the repositories behind `path`; worktrees that stand elsewhere do not count. */
export function repositoriesBehind(path: string, listings: Listings): readonly string[] {
  return namesBehind(path, listings).flatMap(({ folder, name }) => (name === "hooks" ? [folder] : []));
}

/** Where a repository's own folder says that hooks and settings are read from, if it does. */
export function sharedFolder(folder: string): string | undefined {
  return pointedAt(join(folder, "commondir"), /^(.+?)\s*$/m);
}

function namesOfRepository(folder: string, listings: Listings): readonly Name[] {
  const repositories = [folder, ...modulesIn(join(folder, "modules"), listings)];
  const worktrees = foldersIn(join(folder, "worktrees"), listings);
  return [
    ...repositories.flatMap((at) => namesAt(at, repositoryNames)),
    ...worktrees.flatMap((at) => namesAt(at, worktreeNames)),
  ];
}

function namesAt(folder: string, names: readonly string[]): readonly Name[] {
  return names.map((name) => ({ folder, name }));
}

function pointedAt(file: string, pattern: RegExp): string | undefined {
  const stats = statsOf(file);
  if (!stats?.isFile() || stats.size > longestPointer) return undefined;
  try {
    const target = pattern.exec(readFileSync(file, "utf8"))?.[1];
    const path = target === undefined || target.includes("\0") ? undefined : resolve(dirname(file), target);
    const real = path === undefined ? undefined : resolved(path);
    return real !== undefined && isFolder(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

function foldersIn(folder: string, listings: Listings): readonly string[] {
  const listing = listings.of(folder);
  return typeof listing === "string" ? [] : listing.folders.slice(0, mostModules).map((name) => join(folder, name));
}

/** A submodule's name may have slashes, so its folder may lie deeper; and it may have submodules. */
function modulesIn(folder: string, listings: Listings): readonly string[] {
  const found: string[] = [];
  let level = foldersIn(folder, listings);
  for (let depth = 1; depth <= deepestModule && level.length > 0; depth += 1) {
    const repositories = level.filter((at) => isRepository(at, listings));
    found.push(...repositories);
    level = level.flatMap((at) => foldersIn(repositories.includes(at) ? join(at, "modules") : at, listings));
  }
  return found.slice(0, mostModules);
}

function isRepository(folder: string, listings: Listings): boolean {
  const listing = listings.of(folder);
  return typeof listing !== "string" && listing.others.includes("HEAD");
}
