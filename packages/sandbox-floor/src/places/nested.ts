// Looks for protected names in the folders of a project: a package of a workspace, a repository within a repository. Three folders
// deep, up to a bound, and never in what was installed.
import { join } from "node:path";
import { projectNames } from "./default-names.js";
import type { Listings } from "./listings.js";

export interface Nested {
  /** Paths of what has a protected name. */
  readonly names: readonly string[];
  /** Paths of what is called `.git`. */
  readonly repositories: readonly string[];
  readonly warnings: readonly string[];
}

const deepest = 3;
const mostEntries = 20_000;
// Compared in small letters: on some volumes `.VSCode` is `.vscode`, and where it is not, nothing is lost.
const looksFor: ReadonlySet<string> = new Set(projectNames);
const passedOver: ReadonlySet<string> = new Set(["node_modules", ".git"]);

export function nestedProjects(projects: readonly string[], listings: Listings): Nested {
  const found = { names: [] as string[], repositories: [] as string[] };
  let level = projects;
  let seen = 0;
  for (let depth = 0; depth <= deepest; depth += 1) {
    const deeper: string[] = [];
    for (const folder of level) {
      const listing = listings.of(folder);
      // A folder that may not be listed is the system's own protection.
      if (typeof listing === "string") continue;
      seen += listing.folders.length + listing.others.length;
      if (seen > mostEntries) return { ...found, warnings: [beyond(folder)] };
      // What stands in the project itself is looked up by name.
      if (depth > 0) collect(folder, [...listing.folders, ...listing.others], found);
      for (const name of listing.folders) if (!passedOver.has(name.toLowerCase())) deeper.push(join(folder, name));
    }
    level = deeper;
  }
  return { ...found, warnings: [] };
}

function collect(folder: string, entries: readonly string[], found: { names: string[]; repositories: string[] }): void {
  for (const entry of entries) {
    // As all names do that count in more than the project itself.
    if (!entry.startsWith(".")) continue;
    const name = entry.toLowerCase();
    if (name === ".git") found.repositories.push(join(folder, entry));
    else if (looksFor.has(name)) found.names.push(join(folder, entry));
  }
}

function beyond(folder: string): string {
  return `Names that are protected by default were not looked for in ${JSON.stringify(folder)} and beyond: there are too many entries.`;
}
