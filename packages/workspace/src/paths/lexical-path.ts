// The one way to read a path that a model wrote. Purely lexical: no disk is touched, so a path that is refused here says
// nothing about what exists. Everything behind this file works on what it returns, never on the path as written, so that
// `a/../b` cannot mean one file to a rule and another to the system.
import type { ActType } from "@harness/spec";
import { ActRefusedError } from "@harness/spec";

// Windows gives these another meaning than a file of that name: streams, dropped endings, devices.
const meaningOnWindows = /[:*?"<>|]|[. ]$|^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

interface Refusal {
  readonly applies: (path: string, windows: boolean) => boolean;
  readonly reason: string;
}

const refusals: readonly Refusal[] = [
  { applies: (path) => path.includes("\0"), reason: "it contains a NUL character" },
  { applies: (path) => !path.isWellFormed(), reason: "it contains one half of a surrogate pair" },
  {
    // Drives and shares are refused on every system, so that a policy means the same on each.
    applies: (path, windows) => /^(?:\/|\\\\|[A-Za-z]:)/.test(path) || (windows && path.startsWith("\\")),
    reason: "it is absolute; paths are relative to the workspace root",
  },
];

/**
 * `path` relative to the workspace root with `/` between its parts and without empty, `.` and `..` parts; `.` for the root.
 * Throws `ActRefusedError` for what is absolute, names a drive or a share, climbs above the root at any point (even if it
 * comes back), or holds a NUL or a lone surrogate. `\` separates on Windows only.
 */
export function lexicalPath(act: ActType, path: string, windows: boolean = process.platform === "win32"): string {
  const refusal = refusals.find(({ applies }) => applies(path, windows));
  if (refusal) throw new ActRefusedError(act, path, refusal.reason);
  const parts: string[] = [];
  for (const part of path.split(windows ? /[\\/]/ : "/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) throw new ActRefusedError(act, path, "it climbs above the workspace root");
  }
  if (windows && parts.some((part) => meaningOnWindows.test(part))) {
    throw new ActRefusedError(act, path, "Windows gives one of its names another meaning");
  }
  return parts.join("/") || ".";
}
