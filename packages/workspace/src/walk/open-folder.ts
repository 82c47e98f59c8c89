// A folder held open while it is listed or its files are read, synchronously, as a worker may. Like `openExact`: what was
// opened is asked where it really is. The kernel's account of an open folder holds for every name looked up in it, so one
// check serves all of its files; where there is none (macOS, Windows), each file is compared with its own path.
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../paths/real-path.js";
import type { Root } from "../paths/root.js";
import { fileReader, type ReadFile } from "./file-reader.js";
import { isAt } from "./is-at.js";

export interface OpenFolder {
  /** What is in it, in no particular order. Throws the system's error. */
  list(): readonly Dirent[];
  /**
   * The bytes of the regular file `name`, valid until the next is read. `undefined` for what is anything else, was exchanged,
   * or cannot be read.
   */
  read(name: string, maxBytes: number): Uint8Array | "too large" | undefined;
  close(): void;
}

/** Opens the folder at `path` (absolute, without links). `undefined` when it leads elsewhere. Throws the system's error. */
export type OpenFolderAt = (path: string) => OpenFolder | undefined;

// A FIFO is opened without waiting for its other end, so that it can be looked at and refused.
const fileFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const folderFlags = fileFlags | (constants.O_DIRECTORY ?? 0);

// A file that someone replaces just now is found to be another once; what leads elsewhere is found so every time.
const attempts = 3;

/** Opens folders below `root`. They share one buffer. */
export function folderOpener(root: Root): OpenFolderAt {
  const readOpen = fileReader();
  return (path) => {
    const fd = openIfAt(root, path, folderFlags);
    if (fd === undefined) return undefined;
    const base = root.descriptors ? `${root.descriptors}/${fd}` : path;
    const open = root.descriptors
      ? (name: string) => openSync(`${base}/${name}`, fileFlags)
      : (name: string) => openInPlace(root, join(path, name));
    return {
      list: () => readdirSync(base, { withFileTypes: true }),
      read: (name, maxBytes) => readRegular(() => open(name), readOpen, maxBytes),
      close: () => closeSync(fd),
    };
  };
}

// To leave out files that could be read in a moment would be a wrong answer.
const shortages = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

/** Whether the system keeps one file or folder from us, which then is left out. */
export function isKeptFromUs(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && !shortages.has(codeOf(error));
}

function openIfAt(root: Root, path: string, flags: number): number | undefined {
  const fd = openSync(path, flags);
  if (isAt(root, fd, path)) return fd;
  closeSync(fd);
  return undefined;
}

function openInPlace(root: Root, path: string): number | undefined {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const fd = openIfAt(root, path, fileFlags);
    if (fd !== undefined) return fd;
  }
  return undefined;
}

function readRegular(
  open: () => number | undefined,
  read: ReadFile,
  maxBytes: number,
): Uint8Array | "too large" | undefined {
  let fd: number | undefined;
  try {
    fd = open();
    if (fd === undefined) return undefined;
    const stats = fstatSync(fd);
    return stats.isFile() ? read(fd, stats.size, maxBytes) : undefined;
  } catch (error) {
    if (isKeptFromUs(error)) return undefined;
    throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
