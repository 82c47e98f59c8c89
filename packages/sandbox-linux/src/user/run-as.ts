// Whom commands run as. Under a harness of root's they run as whoever owns the workspace: contained, not even root may write to
// what is another user's, and what root could do besides is not theirs to try.
import { readFileSync, statSync } from "node:fs";
import { reachOf } from "./reach.js";

export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  /** The user's own, over those of this process. */
  readonly variables: Readonly<Record<"HOME" | "USER" | "LOGNAME", string>>;
}

/** In a sandbox the temporary folder is the command's own. */
const privateHome = "/tmp";

/** `undefined`: as this process does, which is not root, or whose the workspace is. */
export function runAsOf(workspace: string, uid = process.getuid?.()): RunAs | undefined {
  if (uid !== 0) return undefined;
  const owner = statSync(workspace);
  if (owner.uid === 0) return undefined;
  const user = { uid: owner.uid, gid: owner.gid };
  const reach = reachOf({ uid: user.uid, groups: [user.gid] });
  if (!reach(workspace)) return undefined;
  const known = passwdEntry(passwd(), owner.uid);
  const home = known && isFolder(known.home) && reach(known.home) ? known.home : privateHome;
  const name = known?.name ?? String(owner.uid);
  return { ...user, variables: { HOME: home, USER: name, LOGNAME: name } };
}

/** The first entry of `uid`. */
export function passwdEntry(text: string, uid: number): { readonly name: string; readonly home: string } | undefined {
  for (const line of text.split("\n")) {
    const [name, , id, , , home] = line.split(":");
    if (name && id === String(uid) && home?.startsWith("/")) return { name, home };
  }
  return undefined;
}

function passwd(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch {
    return "";
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
