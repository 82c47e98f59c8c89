// What a command may not write although it lies in what it may: names that somebody else obeys later, what the rules deny, and
// what the caller lists.
import { basename, dirname, join } from "node:path";
import { homeNames, projectNames } from "./default-names.js";
import type { Denied } from "./denied.js";
import { type Guard, guardOf, type Watched } from "./guard.js";
import type { Listings } from "./listings.js";
import { nestedProjects } from "./nested.js";
import { isFolder, isInAny, resolved } from "./paths.js";
import { repositoriesIn } from "./repositories.js";
import { namesBehind } from "./repository.js";
import type { Settings } from "./settings.js";
import type { Granted } from "./writable.js";

export interface Guarded {
  /** Resolved, inside something writable. */
  readonly paths: readonly string[];
  readonly watched: readonly Watched[];
  /** The own folders of the repositories that are there. */
  readonly repositories: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

interface Ground {
  readonly granted: Granted;
  readonly denied: Denied;
  readonly listings: Listings;
}

export function protectedPlaces(settings: Settings, { granted, denied, listings }: Ground): Guarded {
  const { command, options, isExcepted } = settings;
  const guard = guardOf(granted.paths, listings);
  if (granted.paths.length === 0) return { ...guard.found, repositories: new Set(), warnings: [] };
  const tools = { guard, isExcepted, listings };

  for (const folder of granted.projects) {
    for (const name of projectNames) if (!isExcepted(name, join(folder, name))) guard.addIn(folder, name);
    guardRepository(folder, ".git", tools);
  }
  const nested = nestedProjects(granted.projects, listings);
  const repositories = repositoriesIn(granted.projects, listings, nested);
  for (const path of nested.names) if (!isExcepted(basename(path).toLowerCase(), path)) guard.add(path);
  for (const path of nested.repositories) guardRepository(dirname(path), basename(path), tools);
  for (const [folder, name] of namesInHome(settings, granted)) guard.addIn(folder, name);
  for (const path of [...denied.write, ...(options.protected ?? []), ...(command.protectedPaths ?? [])])
    guard.add(path);
  return { ...guard.found, repositories, warnings: nested.warnings };
}

interface Tools {
  readonly guard: Guard;
  readonly isExcepted: Settings["isExcepted"];
  readonly listings: Listings;
}

/** A repository's own folder, a file that points to one, or a link to either; or it is not there. */
function guardRepository(folder: string, name: string, { guard, isExcepted, listings }: Tools): void {
  const path = join(folder, name);
  if (isExcepted(".git", path)) return;
  const real = listings.lacks(folder, name) ? undefined : resolved(path);
  const isOpen = real !== undefined && isFolder(real);
  // Git writes to the folder itself; a link to it, or a file that points to it, must stay as it is.
  if (!isOpen || real !== path) guard.add(path, { isTargetOpen: isOpen });
  if (real === undefined) return;
  for (const { name, folder } of namesBehind(real, listings)) {
    if (!isExcepted(`.git/${name}`, join(folder, name))) guard.addIn(folder, name);
  }
}

/** In a home that can be written: a project's names count there too, and some more. */
function namesInHome({ home, isExcepted }: Settings, { paths }: Granted): readonly (readonly [string, string])[] {
  if (home === undefined || !isInAny(paths, home)) return [];
  return [...projectNames, ...homeNames].flatMap((name) =>
    isExcepted(name, `~/${name}`, join(home, name)) ? [] : [[home, name] as const],
  );
}
