// The files below a folder, sorted by path. Links are never followed; version control, installed packages, what .gitignore
// leaves out and leftovers of interrupted writes are not walked. Synchronous, for a worker. It yields names, and reads only
// files of ignore rules; whoever takes the names has yet to ask which of them may be seen.
import { join } from "node:path";
import { isTemporary } from "../change/replace-file.js";
import type { Place } from "../paths/place.js";
import type { Root } from "../paths/root.js";
import { type IgnoreRules, ignoreFile, isIgnored, maxRulesBytes, withRules } from "./ignore-rules.js";
import { under } from "./names.js";
import { isKeptFromUs, type OpenFolder, type OpenFolderAt } from "./open-folder.js";

/** Files of one folder, in order, with nothing of another folder in between. */
export interface WalkedFiles {
  /** Its real path. */
  readonly folder: string;
  readonly names: readonly string[];
}

/** What a walk goes through. */
export interface Ways {
  readonly open: OpenFolderAt;
  /** Whether the file of ignore rules in `folder` may be read. */
  mayReadRules(folder: string): boolean;
}

interface Folder {
  readonly path: string;
  /** Of the folders above it. */
  readonly rules: IgnoreRules;
}

type Pending = ({ readonly type: "folder" } & Folder) | ({ readonly type: "files" } & WalkedFiles);

const neverWalked = new Set([".git", "node_modules"]);
/** Files of one folder are yielded by so many at most. */
const maxTogether = 256;

/**
 * Walks the folder `start`, which is taken even where a rule leaves it out. A folder that vanished, was exchanged or may not be
 * read is left out.
 */
export function* walkFiles(start: Place, ways: Ways): Generator<WalkedFiles, void, undefined> {
  const { root } = start;
  const stack: Pending[] = [{ type: "folder", path: start.realTarget, rules: rulesAbove(start, ways) }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.type === "files") yield next;
    else for (const entry of entriesOf(root, next, ways).reverse()) stack.push(entry);
  }
}

/** The rules of the folders above `start`; none when they leave out `start` itself, which was asked for by name. */
function rulesAbove({ root, realTarget }: Place, ways: Ways): IgnoreRules {
  let rules: IgnoreRules = [];
  if (realTarget === ".") return rules;
  let folder = ".";
  for (const part of realTarget.split("/")) {
    const above = { path: folder, rules };
    rules = inFolder(root, ways.open, folder, (open) => rulesIn(root, open, above, ways)) ?? rules;
    folder = under(folder, part);
    if (isIgnored(rules, folder, true)) return [];
  }
  return rules;
}

/** The rules that hold in `folder`, which is open. */
function rulesIn({ foldsCase }: Root, open: OpenFolder, folder: Folder, ways: Ways): IgnoreRules {
  if (!ways.mayReadRules(folder.path)) return folder.rules;
  const bytes = open.read(ignoreFile, maxRulesBytes);
  if (bytes === undefined || bytes === "too large") return folder.rules;
  return withRules(folder.rules, folder.path, new TextDecoder().decode(bytes), foldsCase);
}

function entriesOf(root: Root, folder: Folder, ways: Ways): Pending[] {
  const entries = inFolder(root, ways.open, folder.path, (open) => {
    const found = open.list();
    const hasRules = found.some(({ name }) => name === ignoreFile);
    const rules = hasRules ? rulesIn(root, open, folder, ways) : folder.rules;
    const keys: string[] = [];
    for (const entry of found) {
      const isFolder = entry.isDirectory();
      if (!(isFolder || entry.isFile()) || neverWalked.has(entry.name) || isTemporary(entry.name)) continue;
      // A folder sorts as its files do: behind "a.b", before "a0".
      if (!isIgnored(rules, under(folder.path, entry.name), isFolder))
        keys.push(isFolder ? `${entry.name}/` : entry.name);
    }
    return grouped(folder.path, keys.sort(), rules);
  });
  return entries ?? [];
}

/** Sorted names, a slash behind those of folders, as what is to be walked. */
function grouped(path: string, keys: readonly string[], rules: IgnoreRules): Pending[] {
  const pending: Pending[] = [];
  let names: string[] = [];
  for (const key of keys) {
    if (key.endsWith("/")) {
      pending.push({ type: "folder", path: under(path, key.slice(0, -1)), rules });
      names = [];
      continue;
    }
    if (names.length === 0 || names.length === maxTogether) {
      names = [];
      pending.push({ type: "files", folder: path, names });
    }
    names.push(key);
  }
  return pending;
}

/** What `work` makes of an open folder; `undefined` when that cannot be opened or read, or is no longer there. */
function inFolder<Value>(
  root: Root,
  openAt: OpenFolderAt,
  path: string,
  work: (open: OpenFolder) => Value,
): Value | undefined {
  try {
    const open = openAt(join(root.path, path));
    if (!open) return undefined;
    try {
      return work(open);
    } finally {
      open.close();
    }
  } catch (error) {
    if (isKeptFromUs(error)) return undefined;
    throw error;
  }
}
