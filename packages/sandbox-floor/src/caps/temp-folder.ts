// A temporary folder of one command's own, so that it can be told how much the command has put there, and so that it goes
// when the command does. Who was killed before it could remove it leaves it to the next harness.
import { lchownSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endWithProcess } from "../end-with-process.js";
import { namePrefix, type Owner, thisOwner } from "../owner/owner.js";
import { sweep } from "../owner/sweep.js";
import { userFolder } from "../workdir/parent-folder.js";
import { removeTree, removeTreeNow } from "../workdir/remove-tree.js";

export interface TempFolder {
  readonly path: string;
  /** What tells programs of it. */
  readonly variables: Readonly<Record<string, string>>;
  /** With everything in it. Never rejects. */
  remove(): Promise<void>;
}

/**
 * Private to this user, or to `user`, as whom the command runs. Throws `SandboxError` `setup-failed` when none can be made.
 */
export function makeTempFolder(user?: { readonly uid: number; readonly gid: number }): TempFolder {
  const isOwn = user === undefined || user.uid === process.geteuid?.();
  // Nobody else may pass through this user's own folder.
  const parent = isOwn ? userFolder() : realpathSync(tmpdir());
  const path = mkdtempSync(join(parent, namePrefix(ownerIn(parent, !isOwn))));
  if (!isOwn) handOver(path, user);
  const forget = endWithProcess(() => void removeTreeNow(path), "folder");
  return {
    path,
    variables: { TMPDIR: path, TMP: path, TEMP: path },
    async remove() {
      // What someone else still holds there stays until the next harness sweeps.
      await removeTree(path).catch(() => {});
      forget();
    },
  };
}

function handOver(path: string, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  try {
    lchownSync(path, uid, gid);
  } catch {
    // Who may not give a folder away may not change users either, and is told so when the command is to start.
  }
}

let self: Owner | undefined;
const swept = new Set<string>();

/** This process; sweeps `parent` when it is asked of it for the first time. */
function ownerIn(parent: string, hasOthers: boolean): Owner {
  self ??= thisOwner();
  if (!swept.has(parent)) sweep(parent, self, { hasOthers }).catch(() => {});
  swept.add(parent);
  return self;
}
