// What is known of a workspace root: where it really is, and how its file system takes names. Asked once per root and kept
// by the tools that asked, because every path goes through it.
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileProblem } from "./file-problem.js";
import { codeOf } from "./real-path.js";

export interface Root {
  /** Absolute, links followed. */
  readonly path: string;
  /** `A` and `a` are one file here. Asked at the root only: a folder inside may be another volume. */
  readonly foldsCase: boolean;
  /** The folder in which the kernel shows where this process's open files really are, where it does. */
  readonly descriptors: string | undefined;
}

export type FindRoot = (workspace: string) => Promise<Root>;

/** Finds roots, each looked at once. `foldsCase` stands in for the probe. */
export function rootFinder(options: { readonly foldsCase?: boolean } = {}): FindRoot {
  const known = new Map<string, Root>();
  return async (workspace) => {
    const kept = known.get(workspace);
    if (kept) return kept;
    const { path, probed } = await look(workspace, options.foldsCase);
    const root = { path, foldsCase: probed ?? foldsByDefault(), descriptors: await descriptorFolder() };
    // A root in which nothing could be tried is asked again: soon there is a file in it.
    if (probed !== undefined) known.set(workspace, root);
    return root;
  };
}

async function look(
  workspace: string,
  given: boolean | undefined,
): Promise<{ path: string; probed: boolean | undefined }> {
  try {
    const path = await realpath(workspace);
    return { path, probed: given ?? (await foldsCase(path)) };
  } catch (error) {
    throw fileProblem("Could not use the workspace", error);
  }
}

/** Whether a name of `folder` in the other case reaches the same file; `undefined` when no name in it can tell. */
async function foldsCase(folder: string): Promise<boolean | undefined> {
  const names = await readdir(folder);
  const taken = new Set(names);
  for (const name of names) {
    const swapped = swapCase(name);
    if (swapped === name || taken.has(swapped)) continue;
    const answer = await reachesSame(join(folder, name), join(folder, swapped));
    if (answer !== undefined) return answer;
  }
  const swapped = swapCase(basename(folder));
  return swapped === basename(folder) ? undefined : reachesSame(folder, join(dirname(folder), swapped));
}

/** Whether both paths reach one file; `undefined` when the first is gone by now. */
async function reachesSame(path: string, other: string): Promise<boolean | undefined> {
  const [a, b] = await Promise.all([identity(path), identity(other)]);
  return a === undefined ? undefined : a === b;
}

async function identity(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

// ASCII only: what other letters fold to is the file system's own affair.
function swapCase(name: string): string {
  return name.replace(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

function foldsByDefault(): boolean {
  return process.platform === "darwin" || process.platform === "win32";
}

async function descriptorFolder(): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    await readlink("/proc/self/exe");
    return "/proc/self/fd";
  } catch {
    return undefined;
  }
}

/** `path` (relative to `root`) as its folders spell it. Parts that do not exist stay as they are. */
export async function onDiskSpelling(root: string, path: string): Promise<string> {
  if (path === ".") return path;
  const spelt: string[] = [];
  for (const part of path.split("/")) {
    const names = await namesIn(join(root, ...spelt));
    const folded = part.normalize("NFC").toLowerCase();
    spelt.push(
      names.includes(part) ? part : (names.find((name) => name.normalize("NFC").toLowerCase() === folded) ?? part),
    );
  }
  return spelt.join("/");
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    // Whatever hides the names also keeps the file from being opened, which reports it.
    return [];
  }
}
