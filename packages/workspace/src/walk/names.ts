// Paths in a search are real ones, relative to the root, with `/` between their parts. Where the search was started through a
// link, people and the policy know a path under the name of that link too.
import type { Place } from "../paths/place.js";

/** The path of `name` in `folder`. */
export function under(folder: string, name: string): string {
  return folder === "." ? name : `${folder}/${name}`;
}

/** What `path` is called by whoever started at `start`; a path that is not below it keeps its name. */
export function calledFrom({ target, realTarget }: Place, path: string): string {
  if (target === realTarget) return path;
  if (path === realTarget) return target;
  if (realTarget === ".") return under(target, path);
  return path.startsWith(`${realTarget}/`) ? under(target, path.slice(realTarget.length + 1)) : path;
}

/** `path` on one line of a report: a name may hold a line feed, and could otherwise pass for lines of its own. */
export function printable(path: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(path) ? JSON.stringify(path) : path;
}
