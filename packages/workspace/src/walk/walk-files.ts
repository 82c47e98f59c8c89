// The files below a folder, sorted by path. Links are never followed; version control, installed packages, what .gitignore
// leaves out and leftovers of interrupted writes are not walked. A file that the policy hides is yielded as hidden, so
// that it can be counted; whoever prints must not name it.
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import type { LookContext } from "@harness/spec";
import { ToolError } from "@harness/spec";
import { isTemporary } from "../change/replace-file.js";
import { explained } from "../paths/file-problem.js";
import { exchanged } from "../paths/found-file.js";
import { pinFolder } from "../paths/pinned-folder.js";
import { isVisible, type Place, placeIn } from "../paths/place.js";
import { codeOf } from "../paths/real-path.js";
import { byPath } from "./by-path.js";
import { type IgnoreRules, ignoreFile, isIgnored, withRulesOf } from "./ignore-rules.js";

export interface WalkedFile {
  readonly place: Place;
  readonly isVisible: boolean;
}

interface PendingFolder {
  readonly type: "folder";
  readonly place: Place;
  /** Of the folders above it. */
  readonly rules: IgnoreRules;
}

type Pending = PendingFolder | { readonly type: "file"; readonly place: Place };

type Walk = Pick<LookContext, "signal" | "visible">;

const neverWalked = new Set([".git", "node_modules"]);

/**
 * Walks from `start`, a folder or a single file, which is taken even where a rule leaves it out. Throws `ToolError` when it
 * does not exist, `ActRefusedError` when it leads elsewhere by now, the signal's reason when it fires.
 */
export async function* walkFiles(start: Place, context: Walk): AsyncGenerator<WalkedFile, void, undefined> {
  const stack: Pending[] = [await startAt(start, context)];
  for (let next = stack.pop(); next; next = stack.pop()) {
    context.signal.throwIfAborted();
    if (next.type === "file") {
      // A file that was asked for by name was granted by name, by whoever was asked.
      yield { place: next.place, isVisible: next.place === start || isVisible(next.place, context.visible) };
      continue;
    }
    const inside = await entriesOf(next, await namesOf(next.place, next.place === start), context);
    for (const entry of inside.toReversed()) stack.push(entry);
  }
}

async function startAt(start: Place, context: Walk): Promise<Pending> {
  const attempt = `Could not search ${JSON.stringify(start.target)}`;
  const stats = await explained(attempt, () => lstat(start.absolute));
  if (stats.isFile()) return { type: "file", place: start };
  if (!stats.isDirectory()) throw new ToolError(`${attempt}: it is neither a folder nor a regular file.`);
  return { type: "folder", place: start, rules: await rulesAbove(start, context) };
}

/** The rules of the folders above `start`; none when they leave out `start` itself, which was asked for by name. */
async function rulesAbove(start: Place, context: Walk): Promise<IgnoreRules> {
  let rules: IgnoreRules = [];
  if (start.realTarget === ".") return rules;
  const parts = start.realTarget.split("/");
  const { root } = start;
  let folder: Place = { root, target: ".", realTarget: ".", absolute: root.path };
  for (const part of parts) {
    rules = await rulesIn(folder, rules, context);
    folder = placeIn(folder, part);
    if (isIgnored(rules, folder.realTarget, true)) return [];
  }
  return rules;
}

function rulesIn(folder: Place, rules: IgnoreRules, context: Walk): Promise<IgnoreRules> {
  const file = placeIn(folder, ignoreFile);
  return isVisible(file, context.visible) ? withRulesOf(rules, file, folder.realTarget) : Promise.resolve(rules);
}

async function entriesOf(
  { place: folder, rules: above }: PendingFolder,
  found: readonly Dirent[],
  context: Walk,
): Promise<readonly Pending[]> {
  const rules = found.some(({ name }) => name === ignoreFile) ? await rulesIn(folder, above, context) : above;
  const pending: (Pending & { readonly key: string })[] = [];
  for (const entry of found) {
    const isFolder = entry.isDirectory();
    if (!(isFolder || entry.isFile()) || neverWalked.has(entry.name) || isTemporary(entry.name)) continue;
    const place = placeIn(folder, entry.name);
    if (isIgnored(rules, place.realTarget, isFolder)) continue;
    // A folder sorts as its files do: behind "a.b", before "a0".
    if (isFolder) pending.push({ type: "folder", place, rules, key: `${entry.name}/` });
    else pending.push({ type: "file", place, key: entry.name });
  }
  return pending.sort((a, b) => byPath(a.key, b.key));
}

async function namesOf(place: Place, isStart: boolean): Promise<readonly Dirent[]> {
  try {
    return await explained(`Could not search ${JSON.stringify(place.target)}`, async () => {
      const folder = await pinFolder(place.root, place.absolute);
      if (!folder) throw exchanged("read", place);
      try {
        return await readdir(folder.at(), { withFileTypes: true });
      } finally {
        await folder.close();
      }
    });
  } catch (error) {
    // Below the start, a folder that vanished, was exchanged or may not be read is left out.
    if (isStart || !["tool-failed", "act-refused"].includes(codeOf(error))) throw error;
    return [];
  }
}
