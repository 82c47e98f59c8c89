// FIFOs made beforehand. Node captures output by socket pairs, which `/dev/stdout` cannot be opened on in the command; a FIFO
// can, and Node has no call to make one. So `mkfifo` makes many at a time, in a folder of this process that is removed when
// it exits or has not been used for a while, and by the next harness when it was killed.
import { execFile } from "node:child_process";
import { accessSync, constants, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { namePrefix, thisOwner } from "../owner/owner.js";
import { sweep } from "../owner/sweep.js";
import { systemProgram } from "../system-program.js";
import { userFolder } from "../workdir/parent-folder.js";
import { removeTreeNow } from "../workdir/remove-tree.js";

export interface FifoStock {
  /** Two paths of FIFOs that nobody has opened, for the caller to open and unlink. `undefined` when there are none to be had. */
  pair(): Promise<readonly [string, string] | undefined>;
  /** Throws away what there is: it turned out to be of no use. */
  discard(): void;
}

export interface FifoStockOptions {
  /** `mkfifo`; `undefined` where there is none. */
  readonly program: string | undefined;
  /** Where its folder is made. */
  readonly parent: () => string;
  /** How many are made at a time. Default 256. */
  readonly batch?: number;
  /** After so long without use the folder is removed. Default 60,000. */
  readonly idleMs?: number;
}

/** After so many batches in a row that came to nothing no more are tried. */
const mostFailures = 3;
/** Names in one call, however many wait. */
const largestBatch = 1_024;
const mostMakeMs = 5_000;

export function fifoStock({ program, parent, batch = 256, idleMs = 60_000 }: FifoStockOptions): FifoStock {
  let folder: OwnFolder | undefined;
  let paths: string[] = [];
  let making: Promise<boolean> | undefined;
  let [waiting, made, failures] = [0, 0, 0];

  function discard(): void {
    paths = [];
    folder?.remove();
    folder = undefined;
  }

  function retire(): void {
    if (making) folder?.touch();
    else discard();
  }

  function make(): Promise<boolean> {
    making ??= makeBatch().finally(() => {
      making = undefined;
    });
    return making;
  }

  async function makeBatch(): Promise<boolean> {
    if (program === undefined || failures >= mostFailures) return false;
    try {
      folder ??= ownFolder(parent(), idleMs, retire);
      const { path } = folder;
      const count = Math.min(largestBatch, Math.max(batch, 2 * waiting));
      const names = Array.from({ length: count }, (_, index) => `o${made + index}`);
      made += count;
      await makeFifos(program, path, names);
      // The folder may have been discarded meanwhile.
      if (folder?.path === path) paths.push(...names.map((name) => join(path, name)));
      failures = 0;
      return true;
    } catch {
      failures += 1;
      discard();
      return false;
    }
  }

  return {
    discard,
    async pair() {
      waiting += 1;
      try {
        while (paths.length < 2) if (!(await make())) return undefined;
      } finally {
        waiting -= 1;
      }
      folder?.touch();
      const [first, second] = [paths.pop(), paths.pop()];
      if (paths.length < batch / 4) void make();
      return first === undefined || second === undefined ? undefined : [first, second];
    },
  };
}

let shared: FifoStock | undefined;

/** The stock of this process: one for all floors. */
export function processFifos(): FifoStock {
  // Elsewhere `/dev/stdout` opens what it stands for, or is not there.
  const program = process.platform === "linux" ? systemProgram("mkfifo") : undefined;
  shared ??= fifoStock({ program, parent: quickestFolder });
  return shared;
}

const memoryFolder = "/dev/shm";

/** In memory, where making and unlinking a name costs a tenth of what it does on a disk. */
function quickestFolder(): string {
  try {
    accessSync(memoryFolder, constants.W_OK | constants.X_OK);
    return memoryFolder;
  } catch {
    return userFolder();
  }
}

interface OwnFolder {
  readonly path: string;
  touch(): void;
  remove(): void;
}

/** A folder of this process in `parent`, gone when it exits; calls `onIdle` when nobody has touched it for `idleMs`. */
function ownFolder(parent: string, idleMs: number, onIdle: () => void): OwnFolder {
  const owner = thisOwner();
  const path = mkdtempSync(join(parent, namePrefix(owner)));
  const remove = () => void removeTreeNow(path);
  const idle = setTimeout(onIdle, idleMs).unref();
  process.once("exit", remove);
  // What it cannot remove is left to the next one.
  sweep(parent, owner).catch(() => {});
  return {
    path,
    touch: () => void idle.refresh(),
    remove() {
      clearTimeout(idle);
      process.off("exit", remove);
      remove();
    },
  };
}

function makeFifos(program: string, cwd: string, names: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: {}, timeout: mostMakeMs, killSignal: "SIGKILL" } as const;
    execFile(program, ["-m", "600", ...names], options, (error) => (error ? reject(error) : resolve()));
  });
}
