// A temporary folder of one command's own, so that it can be told how much the command has put there, and so that it goes
// when the command does. Who was killed before it could remove it leaves it to the next harness.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { endWithProcess } from "../end-with-process.js";
import { namePrefix, type Owner, thisOwner } from "../workdir/owner.js";
import { userFolder } from "../workdir/parent-folder.js";
import { removeTree, removeTreeNow } from "../workdir/remove-tree.js";
import { sweep } from "../workdir/sweep.js";

export interface TempFolder {
  readonly path: string;
  /** What tells programs of it. */
  readonly variables: Readonly<Record<string, string>>;
  /** With everything in it. Never rejects. */
  remove(): Promise<void>;
}

/** Private to this user. Throws `SandboxError` `setup-failed` when none can be made. */
export function makeTempFolder(): TempFolder {
  const parent = userFolder();
  const path = mkdtempSync(join(parent, namePrefix(owner(parent))));
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

let self: Owner | undefined;

function owner(parent: string): Owner {
  if (self === undefined) {
    self = thisOwner();
    sweep(parent, self).catch(() => {});
  }
  return self;
}
