// Finds the program before anything is spawned, so that "no such program" is known for what it is and sounds the same
// behind a wrapper. The search is the system's own (each PATH entry, an empty one is the working folder), done once.
import { statSync } from "node:fs";
import { posix, win32 } from "node:path";

export interface ProgramSearch {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: string;
}

/**
 * The absolute path of `name`, or `undefined` when there is no such file. With no PATH to search, `name` itself: the
 * system's default path decides then.
 */
export function findProgram(name: string, search: ProgramSearch): string | undefined {
  const isWindows = search.platform === "win32";
  let present: string | undefined;
  for (const place of placesOf(name, search)) {
    const found = look(place, isWindows);
    if (found === "program") return place;
    // A file without its executable bit does not end the search, and is worth a better answer than "not here".
    if (found === "file") present ??= place;
  }
  return present ?? (isSearched(name, search) && search.env.PATH === undefined ? name : undefined);
}

/** Where `name` may be, in the order in which the system looks. Empty when there is no PATH to search. */
export function placesOf(name: string, search: ProgramSearch): readonly string[] {
  const { cwd, env, platform } = search;
  const { resolve, delimiter } = platform === "win32" ? win32 : posix;
  const folders = isSearched(name, search) ? env.PATH?.split(delimiter) : [""];
  const endings = platform === "win32" ? windowsEndings(name, env.PATHEXT) : [""];
  return (folders ?? []).flatMap((folder) => endings.map((ending) => resolve(cwd, folder, name + ending)));
}

/** False for a path: it is taken from the working folder. */
function isSearched(name: string, { platform }: ProgramSearch): boolean {
  return !(platform === "win32" ? /[\\/]/ : /\//).test(name);
}

function look(path: string, isWindows: boolean): "program" | "file" | "nothing" {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile()) return "nothing";
    return isWindows || (stats.mode & 0o111) !== 0 ? "program" : "file";
  } catch {
    // A folder on the way that may not be searched, or is a file: the system's search passes over it too.
    return "nothing";
  }
}

const usualEndings = ".COM;.EXE;.BAT;.CMD";

function windowsEndings(name: string, pathext = usualEndings): readonly string[] {
  const endings = pathext.split(";").filter((ending) => ending !== "");
  const hasOne = endings.some((ending) => name.toUpperCase().endsWith(ending.toUpperCase()));
  return hasOne ? ["", ...endings] : endings;
}
