// What a run of the crash matrix leaves beside its log: a workspace, and a list of effects that nobody can look up in it. Both
// are real files, so they survive whoever made them.
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Store, type StoreUpkeep, sha256 } from "@harness/spec";
import { sqliteStore } from "@harness/store-sqlite";
import type { Scenario } from "./scenario.test-support.js";

export interface World {
  readonly folder: string;
  readonly root: string;
  readonly store: string;
  /** A line for every effect; those that may be repeated begin with `~`. */
  readonly effects: string;
}

export function worldIn(folder: string): World {
  return { folder, root: join(folder, "work"), store: join(folder, "runs.db"), effects: join(folder, "effects.log") };
}

/** A kill takes nothing from the system, so nothing has to reach the disk to survive it. */
export function openStore({ store }: World): Store & StoreUpkeep {
  return sqliteStore({ path: store, durability: "process" });
}

const everywhere = {
  "a.txt": "one\ntwo\nthree\n",
  "notes/b.txt": "bee\n",
};

/** Makes `world` what it is before a run. */
export async function prepare({ folder, root }: World, { files }: Scenario): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, content] of Object.entries({ ...everywhere, ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** Keeps a copy of `world` as it is before a stage. No process may have anything of it open. */
export async function rememberAs({ folder }: World, stage: number): Promise<void> {
  await rm(`${folder}-${stage}`, { recursive: true, force: true });
  await cp(folder, `${folder}-${stage}`, { recursive: true });
}

/** Makes `world` what it was before that stage. */
export async function returnTo({ folder }: World, stage: number): Promise<void> {
  await rm(folder, { recursive: true });
  await cp(`${folder}-${stage}`, folder, { recursive: true });
}

/** Adds a line that survives the process. Synchronous, as an effect that cannot be half done. */
export function addEffect({ effects }: World, line: string): void {
  const file = openSync(effects, "a");
  writeSync(file, `${line}\n`);
  fsyncSync(file);
  closeSync(file);
}

export function effectsIn({ effects }: World): readonly string[] {
  try {
    return readFileSync(effects, "utf8").split("\n").slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** What can be compared: each effect that happens once, in order of its name, and which ones happened that may be repeated. */
export function countedEffects(world: World): readonly string[] {
  const lines = effectsIn(world);
  const repeatable = new Set(lines.filter((line) => line.startsWith("~")));
  return [...lines.filter((line) => !line.startsWith("~")), ...repeatable].sort();
}

/** Every file of the workspace with a digest of what it holds. */
export async function filesIn({ root }: World): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const named = await Promise.all(
    files.map(async (path) => [path.slice(root.length + 1), sha256(await readFile(path))] as const),
  );
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}
