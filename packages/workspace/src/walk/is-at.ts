// Where an open file or folder really is, asked synchronously; `leadsTo` asks the same without blocking.
import { fstatSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { codeOf } from "../paths/real-path.js";
import type { Root } from "../paths/root.js";
import { isSameFile, isSamePath } from "../paths/same-place.js";

/** Whether the open `fd` is what `path` names: by the kernel's account where it gives one, else by the file's identity. */
export function isAt(root: Root, fd: number, path: string): boolean {
  try {
    if (root.descriptors) return isSamePath(root, readlinkSync(`${root.descriptors}/${fd}`), path);
    const real = realpathSync.native(path);
    // Asked last, so that a path swapped for the opening and swapped back is found.
    return (
      isSamePath(root, real, path) && isSameFile(fstatSync(fd, { bigint: true }), lstatSync(path, { bigint: true }))
    );
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(codeOf(error))) return false;
    throw error;
  }
}
