// What .gitignore files leave out of a search. Rules belong to the folder they stand in; the deepest folder that says
// anything about a path decides. Only what stands in folders that are not left out is asked about.
import ignore, { type Ignore } from "ignore";

/** Innermost folder first. */
export type IgnoreRules = readonly RulesOfFolder[];

interface RulesOfFolder {
  readonly folder: string;
  readonly matcher: Ignore;
  /** No rule tells apart where a name stands. */
  readonly isByName: boolean;
}

export const ignoreFile = ".gitignore";

/** No sane file of rules is larger, and every path is matched against every rule. */
export const maxRulesBytes = 256 * 1024;

/** `rules` with those of `text`, the file of rules in `folder`, which is below the folders of `rules`. */
export function withRules(rules: IgnoreRules, folder: string, text: string, foldsCase: boolean): IgnoreRules {
  const matcher = ignore({ ignorecase: foldsCase }).add(text);
  return [{ folder, matcher, isByName: !/^[^#\n].*\/.|^\/./m.test(text) }, ...rules];
}

/** Whether `path` (relative to the root) is left out. */
export function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  for (const { folder, matcher, isByName } of rules) {
    const from = isByName ? path.lastIndexOf("/") + 1 : folder === "." ? 0 : folder.length + 1;
    const named = path.slice(from);
    const verdict = matcher.test(isFolder ? `${named}/` : named);
    if (verdict.ignored || verdict.unignored) return verdict.ignored;
  }
  return false;
}
