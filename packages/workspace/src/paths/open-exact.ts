// Opens what was resolved and nothing else. Between the judgement of a path and its use someone may swap a folder for a
// link, so every handle is asked where it really is before a byte goes through it.
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { codeOf } from "./real-path.js";
import type { Root } from "./root.js";
import { isSameFile, isSamePath } from "./same-place.js";

/** For reading; a FIFO or a device is opened without waiting for its other end, so that it can be looked at and refused. */
export const readFlags = constants.O_RDONLY | constants.O_NONBLOCK;

// A file that someone replaces just now is found deleted once; a path that leads elsewhere is found so every time.
const attempts = 3;

/**
 * Opens `path`, which holds no links. `undefined` when the handle turns out to be somewhere else. Rejects with the
 * system's error.
 */
export async function openExact(root: Root, path: string, flags: number): Promise<FileHandle | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const handle = await openUnlinked(path, flags);
    if (!handle) return undefined;
    let isExact = false;
    try {
      isExact = await leadsTo(root, handle, path);
    } finally {
      if (!isExact) await handle.close();
    }
    if (isExact) return handle;
  }
  return undefined;
}

async function openUnlinked(path: string, flags: number): Promise<FileHandle | undefined> {
  try {
    return await open(path, flags | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (codeOf(error) === "ELOOP") return undefined;
    // A link that was to be opened as a folder.
    if (codeOf(error) === "ENOTDIR" && (await isLink(path))) return undefined;
    throw error;
  }
}

/** Whether `handle` is what `path` names: by the kernel's account where it gives one, else by the file's identity. */
export async function leadsTo(root: Root, handle: FileHandle, path: string): Promise<boolean> {
  try {
    if (root.descriptors) return isSamePath(root, await readlink(`${root.descriptors}/${handle.fd}`), path);
    const [opened, real] = await Promise.all([handle.stat({ bigint: true }), realpath(path)]);
    // Asked last, so that a path swapped for the opening and swapped back is found.
    return isSamePath(root, real, path) && isSameFile(opened, await lstat(path, { bigint: true }));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return false;
    throw error;
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
