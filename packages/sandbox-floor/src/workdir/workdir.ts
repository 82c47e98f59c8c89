// A private folder for one command, which is gone afterwards whatever happens: by disposal, at this process's exit, or by
// the next process that makes one, when this one was killed.
import { mkdtempSync } from "node:fs";
import { join, sep } from "node:path";
import { type Clock, ConfigError, systemClock } from "@harness/spec";
import { endWithProcess } from "../end-with-process.js";
import { namePrefix, thisOwner } from "../owner/owner.js";
import { sweep } from "../owner/sweep.js";
import { copyIn } from "./copy-in.js";
import type { LeftOut } from "./left-out.js";
import { givenFolder, userFolder } from "./parent-folder.js";
import { removeTree, removeTreeNow } from "./remove-tree.js";

/** A working folder that could not be removed, or not entirely. `code` is the system's, such as `EBUSY`. */
export interface WorkdirWarning {
  /** Absolute. */
  readonly path: string;
  readonly code: string;
}

export interface WorkdirOptions {
  /** Absolute and there. Default: a folder of this user's below the system's temporary folder, which is made when missing. */
  readonly parent?: string;
  /** A folder whose content is copied in: files and folders with their permissions, and links that cannot lead out. Absolute. */
  readonly from?: string;
  /** What to copy of `from`, by relative path with `/`. A folder that is not wanted is not looked into. Default: everything. */
  readonly filter?: (relativePath: string) => boolean;
  /** Bytes to copy at most. Default 1 GiB. */
  readonly maxBytes?: number;
  /** Files, folders and links to copy at most. Default 100,000. */
  readonly maxFiles?: number;
  /** Stops the copying. */
  readonly signal?: AbortSignal;
  /** Told of every folder that could not be removed: this one, or one that a killed process left. */
  readonly onWarning?: (warning: WorkdirWarning) => void;
  /** Waits between attempts to remove. Default: the system's. */
  readonly clock?: Clock;
}

export interface Workdir {
  /** Absolute, links resolved. */
  readonly path: string;
  /** What was not copied in. */
  readonly left: readonly LeftOut[];
  /**
   * Removes the folder and all that is in it. Safe to call twice. Never rejects for what the system refuses: after a few
   * attempts within a second it resolves to a warning. `undefined` when nothing is left.
   */
  remove(): Promise<WorkdirWarning | undefined>;
  /** `remove`, with the warning for `onWarning` only. */
  [Symbol.asyncDispose](): Promise<void>;
}

const gibibyte = 1024 ** 3;

/**
 * Makes an empty private folder (mode 0700), or one with a copy of `from` in it. First removes what processes that were
 * killed have left in the same parent. Rejects, leaving nothing behind, with `ConfigError` for folders that are not there,
 * `SandboxError` `setup-failed` for a parent that is not safe and a copy that is too large, or the signal's reason.
 */
export async function workdir(options: WorkdirOptions = {}): Promise<Workdir> {
  options.signal?.throwIfAborted();
  const parent = options.parent === undefined ? userFolder() : givenFolder(options.parent, "parent");
  const from = options.from === undefined ? undefined : givenFolder(options.from, "from");
  if (from !== undefined && `${parent}${sep}`.startsWith(`${from}${sep}`)) throw copyOfItself(parent, from);
  const self = thisOwner();
  for (const stuck of await sweep(parent, self)) warn(options, stuck);
  const path = mkdtempSync(join(parent, namePrefix(self)));
  const remove = remover(path, options);
  try {
    const left = from === undefined ? [] : await copyIn(copyOf(from, path, options));
    return { path, left, remove, [Symbol.asyncDispose]: async () => void (await remove()) };
  } catch (error) {
    await remove();
    throw error;
  }
}

function copyOf(from: string, to: string, options: WorkdirOptions): Parameters<typeof copyIn>[0] {
  const { filter = () => true, maxBytes = gibibyte, maxFiles = 100_000, signal } = options;
  return { from, to, filter, maxBytes, maxFiles, signal };
}

function copyOfItself(parent: string, from: string): ConfigError {
  const attempt = `Could not copy ${JSON.stringify(from)} into a working folder`;
  return new ConfigError(
    `${attempt}: it holds the working folder's own parent ${JSON.stringify(parent)}. Give another.`,
    {
      path: ["parent"],
    },
  );
}

/** On Windows a file that another program has open cannot be removed for a moment. */
const waitsMs = [20, 80, 200, 500];

function remover(path: string, options: WorkdirOptions): Workdir["remove"] {
  const { clock = systemClock() } = options;
  const forget = endWithProcess(() => removeTreeNow(path), "folder");
  let removing: Promise<WorkdirWarning | undefined> | undefined;

  async function remove(): Promise<WorkdirWarning | undefined> {
    let code = await removeTree(path);
    for (const waitMs of waitsMs) {
      if (code === undefined) break;
      await clock.sleep(waitMs);
      code = await removeTree(path);
    }
    if (code === undefined) {
      forget();
      return undefined;
    }
    // To be tried again, by another call or at the exit.
    removing = undefined;
    warn(options, { path, code });
    return { path, code };
  }

  return () => {
    removing ??= remove();
    return removing;
  };
}

/** What a listener throws must neither keep a folder nor hide why a run failed. */
function warn({ onWarning }: WorkdirOptions, warning: WorkdirWarning): void {
  try {
    onWarning?.(warning);
  } catch {}
}
