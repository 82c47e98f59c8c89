// Paths of this machine as places see them: absolute, compared part by part, resolved as the kernel would.
import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, sep } from "node:path";

/** True for `folder` itself and for what is below it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || isBelow(folder, path);
}

/** True for what is below `folder`, at any depth. */
export function isBelow(folder: string, path: string): boolean {
  const start = folder.endsWith(sep) ? folder : folder + sep;
  return path.length > start.length && path.startsWith(start);
}

/** The folders above `path`, nearest first, up to the root. */
export function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    above.push(at);
    if (at === dirname(at)) return above;
  }
}

/** Links resolved and letters as the volume has them; `undefined` for what is not there or cannot be reached. */
export function resolved(path: string): string | undefined {
  try {
    // Most of what is looked for is not there, and to be told so by an error takes ten times as long.
    return lstatSync(path, { throwIfNoEntry: false }) && realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Of what is there, not of what a link leads to; `undefined` for what is not there or cannot be looked at. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** True for what is one of `folders` or lies in one. */
export function isInAny(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isWithin(folder, path));
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

/** In the order given, each once. */
export function distinct(paths: Iterable<string>): readonly string[] {
  return [...new Set(paths)];
}
