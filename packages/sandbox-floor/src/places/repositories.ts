// Which repositories there are in the projects that a command may write, before it and after it.
import { join } from "node:path";
import type { Aftermath } from "../wrapped.js";
import { type Listings, processListings } from "./listings.js";
import { nestedProjects } from "./nested.js";
import { tameRepository } from "./new-repository.js";
import { isInAny } from "./paths.js";
import { repositoriesBehind } from "./repository.js";

/** The own folders of the repositories in `projects`, and of those that they lead to. */
export function repositoriesIn(
  projects: readonly string[],
  listings: Listings,
  nested = nestedProjects(projects, listings),
): ReadonlySet<string> {
  const own = projects.filter((folder) => !listings.lacks(folder, ".git")).map((folder) => join(folder, ".git"));
  const all = [...own, ...nested.repositories];
  return new Set(all.flatMap((path) => repositoriesBehind(path, listings)));
}

export interface Scene {
  readonly projects: readonly string[];
  /** New ones elsewhere are not the command's. */
  readonly writable: readonly string[];
  readonly before: ReadonlySet<string>;
}

/** Sees to the repositories that were not there before. */
export async function tameNew({ projects, writable, before }: Scene): Promise<Required<Aftermath>> {
  const undone: string[] = [];
  const warnings: string[] = [];
  const seen = repositoriesIn(projects, processListings());
  for (const path of seen) {
    if (before.has(path) || !isInAny(writable, path)) continue;
    try {
      undone.push(...(await tameRepository(path, seen)));
    } catch (error) {
      const code = (error as { code?: unknown }).code ?? error;
      warnings.push(
        `The repository ${JSON.stringify(path)} is new, and what git obeys in it could not be removed (${code}).`,
      );
    }
  }
  return { undone, warnings };
}
