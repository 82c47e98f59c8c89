// One regular file, opened so that it cannot be anything else, and copied in pieces. What the path names may change at any
// moment, so the open file is what is asked, and it is asked again at the end.
import { constants, lstatSync, type Stats } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { HeldFolder } from "./held-folder.js";
import type { Problem } from "./left-out.js";

export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

const pieceBytes = 256 * 1024;
// A FIFO that takes the file's place is opened without waiting for its other end.
const sourceFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const targetFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Opens the regular file `name` in `folder`, or says why not. Rejects with the system's error. */
export async function openRegular(folder: HeldFolder, name: string): Promise<OpenFile | Problem> {
  // Looked at first: merely opening a device can do something.
  const before = lstatSync(folder.at(name));
  if (before.isSymbolicLink()) return { reason: "link" };
  if (!before.isFile()) return { reason: "not-a-file" };
  const handle = await open(folder.at(name), sourceFlags);
  let isGiven = false;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { reason: "not-a-file" };
    isGiven = folder.isInPlace();
    return isGiven ? { handle, stats } : { reason: "changed" };
  } finally {
    if (!isGiven) await handle.close();
  }
}

export interface CopyOptions {
  /** Makes the bytes durable. */
  readonly sync: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the file `path`, which must not exist, with the bytes and the permissions of `source`, set-id bits left out. False,
 * with nothing made, when the source was written to meanwhile. Rejects, with nothing made, with the system's error or the
 * signal's reason.
 */
export async function copyOpened(source: OpenFile, path: string, { sync, signal }: CopyOptions): Promise<boolean> {
  const target = await open(path, targetFlags, 0o600);
  let isWhole = false;
  try {
    isWhole = (await copyBytes(source, target, signal)) && !(await hasChanged(source));
    if (isWhole) await target.chmod(source.stats.mode & 0o777);
    if (isWhole && sync) await target.sync();
    return isWhole;
  } catch (error) {
    isWhole = false;
    throw error;
  } finally {
    await target.close();
    if (!isWhole) await rm(path, { force: true });
  }
}

/** Never more than the file had when it was opened: one that grows all the time would not come to an end. */
async function copyBytes({ handle, stats }: OpenFile, target: FileHandle, signal?: AbortSignal): Promise<boolean> {
  const piece = Buffer.allocUnsafe(Math.max(1, Math.min(pieceBytes, stats.size)));
  let copied = 0;
  while (copied < stats.size) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, stats.size - copied), null);
    if (bytesRead === 0) return false;
    await target.writeFile(piece.subarray(0, bytesRead));
    copied += bytesRead;
  }
  return true;
}

async function hasChanged({ handle, stats }: OpenFile): Promise<boolean> {
  const now = await handle.stat();
  return now.size !== stats.size || now.mtimeMs !== stats.mtimeMs;
}
