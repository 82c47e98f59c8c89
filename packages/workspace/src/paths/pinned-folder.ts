// A folder held open, so that names are looked up in that very folder, whatever its path leads to by then. Where the
// kernel lets an open folder be named (Linux), nothing can slip in between; elsewhere the path is compared before each
// step that changes something.
import { constants } from "node:fs";
import { type FileHandle, mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { leadsTo, openExact, readFlags } from "./open-exact.js";
import { codeOf } from "./real-path.js";
import type { Root } from "./root.js";

export interface PinnedFolder {
  /** A path to `name` in this folder, or to the folder itself. */
  at(name?: string): string;
  /** False when the folder has moved, or its path leads elsewhere. */
  isInPlace(): Promise<boolean>;
  /** Makes names in it durable, where the system can. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the folder at `path`, which holds no links; `undefined` when it leads elsewhere. Rejects with the system's error. */
export async function pinFolder(root: Root, path: string): Promise<PinnedFolder | undefined> {
  const handle = await openExact(root, path, readFlags | (constants.O_DIRECTORY ?? 0));
  if (!handle) return undefined;
  const base = root.descriptors ? `${root.descriptors}/${handle.fd}` : path;
  return {
    at: (name) => (name === undefined ? base : join(base, name)),
    isInPlace: () => leadsTo(root, handle, path),
    sync: () => syncFolder(handle),
    close: () => handle.close(),
  };
}

/** `pinFolder` that makes what is missing below the root, each folder in its pinned parent. */
export async function makeFolder(root: Root, path: string): Promise<PinnedFolder | undefined> {
  try {
    return await pinFolder(root, path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || path === root.path) throw error;
  }
  const parent = await makeFolder(root, dirname(path));
  if (!parent) return undefined;
  try {
    if (!(await parent.isInPlace())) return undefined;
    await makeOne(parent.at(basename(path)));
    await parent.sync();
    return await pinFolder(root, path);
  } finally {
    await parent.close();
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    // Someone else made it first, which serves as well.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

// Some systems cannot sync a folder, and say so in one of these ways.
const cannotSync = new Set(["EINVAL", "EPERM", "EACCES", "EBADF", "EISDIR", "ENOTSUP", "EOPNOTSUPP"]);

async function syncFolder(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    if (!cannotSync.has(codeOf(error))) throw error;
  }
}
