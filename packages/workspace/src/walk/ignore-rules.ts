// What .gitignore files leave out of a search. Rules belong to the folder they stand in; the deepest folder that says
// anything about a path decides.
import type { Ignore } from "ignore";
import { openExact, readFlags } from "../paths/open-exact.js";
import type { Place } from "../paths/place.js";
import { codeOf } from "../paths/real-path.js";

/** Outermost folder first. */
export type IgnoreRules = readonly { readonly folder: string; readonly matcher: Ignore }[];

export const ignoreFile = ".gitignore";

/** No sane file of rules is larger, and every path is matched against every rule. */
const maxBytes = 256 * 1024;

/** `rules` with those that the file at `place` adds for its folder. A file that cannot be read adds none. */
export async function withRulesOf(rules: IgnoreRules, place: Place, folder: string): Promise<IgnoreRules> {
  const text = await rulesText(place);
  if (text === undefined) return rules;
  const { default: ignore } = await import("ignore");
  return [...rules, { folder, matcher: ignore({ ignorecase: place.root.foldsCase }).add(text) }];
}

/** Whether `path` (relative to the root) is left out. */
export function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  for (const { folder, matcher } of rules.toReversed()) {
    const inFolder = folder === "." ? path : path.slice(folder.length + 1);
    const verdict = matcher.test(isFolder ? `${inFolder}/` : inFolder);
    if (verdict.ignored || verdict.unignored) return verdict.ignored;
  }
  return false;
}

async function rulesText({ root, absolute }: Place): Promise<string | undefined> {
  try {
    const handle = await openExact(root, absolute, readFlags);
    if (!handle) return undefined;
    try {
      const stats = await handle.stat();
      return stats.isFile() && stats.size <= maxBytes ? await handle.readFile("utf8") : undefined;
    } finally {
      await handle.close();
    }
  } catch (error) {
    // Git too goes on without rules that it may not read.
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(codeOf(error))) return undefined;
    throw error;
  }
}
