// Where scenes are made when nobody says: in the user's cache, since a workspace below the temporary folder is no fair subject. There
// a command may write by right, or a private folder lies over it.
import { realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";

/** The folder for scenes, absolute. It is made when the first scene is. */
export function attackFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { XDG_CACHE_HOME: cache } = environment;
  return join(cache && isAbsolute(cache) ? cache : join(homedir(), ".cache"), "harness-attacks");
}

const shared = ["/tmp", "/var/tmp"];

/** Why no scene may be made in `folder`; `undefined` when one may. */
export function unfit(folder: string): string | undefined {
  const temporary = [tmpdir(), ...shared].find(
    (place) => isBelow(folder, resolved(place)) || isBelow(resolved(folder), resolved(place)),
  );
  return temporary && `${folder} lies below the temporary folder ${temporary}, where commands may write`;
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
}

/** The path itself where nothing is there yet. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
