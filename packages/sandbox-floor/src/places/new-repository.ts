// A repository that a command made is its work and stays. What git would obey in it does not: hooks, but for the samples that come
// with it, settings that are not harmless, and files that lead git elsewhere.
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HeldFolder, holdFolder } from "../workdir/held-folder.js";
import { harmlessSettings } from "./git-settings.js";
import { statsOf } from "./paths.js";
import { moved, removeIn } from "./remove-in.js";
import { sharedFolder } from "./repository.js";

/**
 * Sees to the repository whose own folder is `path`; it may share only the folder of one that is in `seen`. Resolves to what was
 * removed or changed, absolute.
 */
export async function tameRepository(path: string, seen: ReadonlySet<string>): Promise<readonly string[]> {
  const folder = holdFolder(path);
  try {
    if (!folder.isInPlace()) throw moved();
    const shared = sharedFolder(path);
    const isStray = shared === undefined || !seen.has(shared);
    return (await tame(folder, isStray ? ["commondir"] : [])).map((name) => join(path, name));
  } finally {
    folder.close();
  }
}

/** Names in `folder` that were removed or changed; those of `also` among them, as far as they are there. */
async function tame(folder: HeldFolder, also: readonly string[]): Promise<readonly string[]> {
  const bad = ["config.worktree", ...also].filter((name) => statsOf(folder.at(name)) !== undefined);
  // Behind a link there is what somebody else may change.
  bad.push(...["hooks", "info", "modules", "worktrees"].filter((name) => isOther(folder, name)));
  if (!bad.includes("info") && statsOf(folder.at("info/attributes"))) bad.push("info/attributes");
  if (!bad.includes("hooks")) bad.push(...hooksIn(folder));
  for (const name of bad) await removeIn(folder, name);
  return (await tameSettings(folder)) ? [...bad, "config"] : bad;
}

/** There, and no folder. */
function isOther(folder: HeldFolder, name: string): boolean {
  const stats = statsOf(folder.at(name));
  return stats !== undefined && !stats.isDirectory();
}

function hooksIn(folder: HeldFolder): readonly string[] {
  if (statsOf(folder.at("hooks")) === undefined) return [];
  const entries = readdirSync(folder.at("hooks"), { withFileTypes: true });
  // Git runs no hook of such a name.
  const hooks = entries.filter((entry) => !(entry.isFile() && entry.name.endsWith(".sample")));
  return hooks.map(({ name }) => `hooks/${name}`);
}

const longestSettings = 64 * 1024;

async function tameSettings(folder: HeldFolder): Promise<boolean> {
  const stats = statsOf(folder.at("config"));
  if (stats === undefined) return false;
  if (!stats.isFile() || stats.size > longestSettings) {
    await removeIn(folder, "config");
    return true;
  }
  const text = readFileSync(folder.at("config"), "utf8");
  const tamed = harmlessSettings(text);
  if (tamed === text) return false;
  // Under the name by which git itself keeps others from changing them.
  writeFileSync(folder.at("config.lock"), tamed, { flag: "wx", mode: stats.mode & 0o777 });
  renameSync(folder.at("config.lock"), folder.at("config"));
  return true;
}
