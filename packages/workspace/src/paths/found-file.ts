// Reads the file at a place, whole or not at all. A missing file is an answer, since a write may create it; what is not a
// regular file is an error, since reading it could wait forever.
import type { FileHandle } from "node:fs/promises";
import type { FileAct } from "@harness/spec";
import { ActRefusedError, ToolError } from "@harness/spec";
import { explained } from "./file-problem.js";
import { openExact, readFlags } from "./open-exact.js";
import type { Place } from "./place.js";
import { codeOf } from "./real-path.js";

export interface FoundFile {
  readonly bytes: Uint8Array;
  /** Permission bits, set-id and sticky bits included. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** More than any source file, and little enough to hold in memory a few times. */
const maxFileBytes = 64 * 1024 * 1024;

/**
 * The file at `place`, or `null` for none. Throws `ActRefusedError` when the path leads elsewhere by now, and `ToolError`
 * for a folder, a special file, one over `maxFileBytes`, or one that the system keeps from us; the signal's reason when it has fired.
 */
export async function findFile(act: FileAct["type"], place: Place, signal?: AbortSignal): Promise<FoundFile | null> {
  const attempt = `Could not ${act} ${JSON.stringify(place.target)}`;
  signal?.throwIfAborted();
  return explained(attempt, async () => {
    const handle = await openExisting(act, place);
    if (!handle) return null;
    try {
      return await readWhole(handle, attempt);
    } finally {
      await handle.close();
    }
  });
}

async function openExisting(act: FileAct["type"], place: Place): Promise<FileHandle | null> {
  try {
    const handle = await openExact(place.root, place.absolute, readFlags);
    if (handle) return handle;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  throw exchanged(act, place);
}

/** The refusal for a place that is no longer what was judged. */
export function exchanged(act: FileAct["type"], place: Place): ActRefusedError {
  return new ActRefusedError(act, place.target, "it was exchanged for something else while it was being opened");
}

async function readWhole(handle: FileHandle, attempt: string): Promise<FoundFile> {
  const stats = await handle.stat();
  if (stats.isDirectory()) throw new ToolError(`${attempt}: it is a folder. Look with list_dir.`);
  if (!stats.isFile()) throw new ToolError(`${attempt}: it is not a regular file.`);
  if (stats.size > maxFileBytes) {
    throw new ToolError(
      `${attempt}: it has ${stats.size} bytes, over the limit of ${maxFileBytes}. Use a program with exec.`,
    );
  }
  const bytes = await handle.readFile();
  return { bytes, mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid };
}
