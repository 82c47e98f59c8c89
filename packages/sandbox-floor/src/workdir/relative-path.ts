// Paths that someone else wrote, as parts below a folder. Purely lexical, and strict: `a/../b` would be judged as one file
// and could be another, so it is refused rather than tidied.
import { ActRefusedError } from "@harness/spec";

// Windows gives these another meaning than a file of that name: streams, dropped endings.
const meaningOnWindows = /[:*?"<>|]|[. ]$/;

/**
 * The parts of `path`, without empty and `.` ones. Throws `ActRefusedError` for what is absolute, names a drive, has a `..`
 * in it, holds a NUL or half a surrogate pair, or names no file. `\` separates on Windows only.
 */
export function relativeParts(path: string, windows: boolean = process.platform === "win32"): readonly string[] {
  const refusal = (reason: string) => new ActRefusedError("write", path, reason);
  if (path.includes("\0") || !path.isWellFormed()) throw refusal("it holds what no name of a file can hold");
  if (/^(?:\/|\\\\|[A-Za-z]:)/.test(path) || (windows && path.startsWith("\\"))) throw refusal("it is absolute");
  const parts = path.split(windows ? /[\\/]/ : "/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw refusal("it has a .. in it");
  if (parts.length === 0) throw refusal("it names no file");
  if (windows && parts.some((part) => meaningOnWindows.test(part))) {
    throw refusal("Windows gives one of its names another meaning");
  }
  return parts;
}

/**
 * Whether a link with the text `link`, `depth` folders below the top, cannot lead out: it is relative, and climbs only at its
 * start and not above the top. Where every link is like that, none can lead out by way of another either.
 */
export function staysInside(link: string, depth: number, windows: boolean = process.platform === "win32"): boolean {
  if (link === "" || /^(?:\/|\\|[A-Za-z]:)/.test(link)) return false;
  const parts = link.split(windows ? /[\\/]/ : "/").filter((part) => part !== "" && part !== ".");
  const climbs = parts.findIndex((part) => part !== "..");
  const start = climbs === -1 ? parts.length : climbs;
  return start <= depth && !parts.slice(start).includes("..");
}
