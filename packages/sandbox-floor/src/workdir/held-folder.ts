// A folder held open, so that names are looked up in that very folder, whatever its path leads to by then. Where the kernel
// lets an open folder be named (Linux), nothing can slip in between; elsewhere the path is compared before each step that
// counts, which narrows the gap. Synchronous, because these calls are short and the clean-up at exit needs them too.
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { sep } from "node:path";
import { codeOf } from "./left-out.js";

export interface HeldFolder {
  /** A path to `name` in this folder, or to the folder itself. An empty name gives the start of such a path. */
  at(name?: string): string;
  /** False when the folder has moved, or its path leads elsewhere. */
  isInPlace(): boolean;
  close(): void;
}

const descriptors = "/proc/self/fd";
const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Names a file without opening it, which needs no permission on the file itself. Node has no constant for it. */
const oPath = 0o10000000;

/**
 * Opens the folder at `path`, the last part of which must be no link: that throws `ELOOP`, and a file `ENOTDIR`. `place` is
 * where it should really be, links resolved; default `path`.
 */
export function holdFolder(path: string, place = path): HeldFolder {
  if (!hasDescriptors()) return watchFolder(path, place);
  const file = openFolder(path);
  const base = `${descriptors}/${file}`;
  return {
    at: (name) => (name === undefined ? base : `${base}/${name}`),
    isInPlace: () => readlinkSync(base) === place,
    close: () => closeSync(file),
  };
}

/** `holdFolder` for one that is to be emptied: first its owner is given back the right to list and change it. */
export function holdToEmpty(path: string): HeldFolder {
  if (!hasDescriptors()) {
    const folder = watchFolder(path, path);
    chmodSync(path, 0o700);
    return folder;
  }
  const folder = holdOpened(path);
  try {
    openUp(folder.at());
  } catch (error) {
    // Someone else's, and yet it may be open to us; or on a read-only volume. What cannot be removed says so itself.
    if (codeOf(error) === "") throw error;
  }
  return folder;
}

/** `holdFolder` for one whose owner may have lost the right to list it. */
function holdOpened(path: string): HeldFolder {
  try {
    return holdFolder(path);
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error;
  }
  const file = openSync(path, folderFlags | oPath);
  try {
    chmodSync(`${descriptors}/${file}`, 0o700);
  } finally {
    closeSync(file);
  }
  return holdFolder(path);
}

function openFolder(path: string): number {
  try {
    return openSync(path, folderFlags);
  } catch (error) {
    // The kernel says the same of a link and of a file.
    if (codeOf(error) === "ENOTDIR" && isLink(path)) throw notAFolder("ELOOP", path);
    throw error;
  }
}

function notAFolder(code: "ELOOP" | "ENOTDIR", path: string): Error {
  return Object.assign(new Error(`${code}: not a folder, open '${path}'`), { code, syscall: "open" });
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function openUp(base: string): void {
  const file = Number(base.slice(descriptors.length + 1));
  if ((fstatSync(file).mode & 0o700) !== 0o700) fchmodSync(file, 0o700);
}

function hasDescriptors(): boolean {
  return process.platform === "linux" && existsSync(descriptors);
}

function watchFolder(path: string, place: string): HeldFolder {
  const identity = folderIdentity(path);
  if (identity === undefined) throw notAFolder(isLink(path) ? "ELOOP" : "ENOTDIR", path);
  return {
    at: (name) => (name === undefined ? path : path + sep + name),
    isInPlace: () => {
      try {
        return realpathSync(path) === place && folderIdentity(path) === identity;
      } catch {
        return false;
      }
    },
    close: () => {},
  };
}

function folderIdentity(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true });
  return stats.isDirectory() ? `${stats.dev}:${stats.ino}` : undefined;
}
