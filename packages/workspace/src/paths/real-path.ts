// Where a path really leads when its last parts do not exist yet. The system resolves a path whole or not at all, so a new
// file below a linked folder, or a link to nothing, would otherwise be judged by its spelling alone.
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, parse, sep } from "node:path";

// One budget for a whole question: links that lead to each other may branch, so a limit on depth alone would not end.
const maxHops = 40;

/** The real path of `path` (absolute), links followed, missing last parts kept. `undefined` for a circle of links. */
export async function realPath(path: string, budget = { hops: maxHops }): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === "ELOOP") return undefined;
    if (!unresolvable.has(codeOf(error)) || dirname(path) === path) throw error;
  }
  const parent = await realPath(dirname(path), budget);
  if (parent === undefined) return undefined;
  const here = join(parent, basename(path));
  const link = await linkText(here);
  return link === undefined ? here : follow(parent, link, budget);
}

/** `path` relative to `root` with `/` between its parts, `.` for the root itself; `undefined` when it is not inside. */
export function within(root: string, path: string): string | undefined {
  if (path === root) return ".";
  const prefix = root.endsWith(sep) ? root : root + sep;
  return path.startsWith(prefix) ? path.slice(prefix.length).replaceAll(sep, "/") : undefined;
}

/** The first part of `target` whose real place is outside `root`: the link to blame. */
export async function leavingLink(root: string, target: string): Promise<string> {
  const parts = target.split("/");
  for (let count = 1; count < parts.length; count += 1) {
    const path = parts.slice(0, count).join("/");
    const real = await realPath(join(root, path));
    if (real !== undefined && within(root, real) === undefined) return path;
  }
  return target;
}

// What says "not to be resolved to the end". A folder that may not be searched hides its links from us, and its files too:
// opening them fails for the same reason.
const unresolvable = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ENAMETOOLONG"]);

export function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : "";
}

async function linkText(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (codeOf(error) === "EINVAL" || codeOf(error) === "UNKNOWN" || unresolvable.has(codeOf(error))) return undefined;
    throw error;
  }
}

async function follow(parent: string, link: string, budget: { hops: number }): Promise<string | undefined> {
  budget.hops -= 1;
  if (budget.hops < 0) return undefined;
  let at: string | undefined = isAbsolute(link) ? parse(link).root : parent;
  for (const part of link.slice(isAbsolute(link) ? parse(link).root.length : 0).split(sep)) {
    if (part === "" || part === ".") continue;
    at = part === ".." ? dirname(at) : await realPath(join(at, part), budget);
    if (at === undefined) return undefined;
  }
  return at;
}
