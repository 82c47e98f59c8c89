// Replaces a file whole or not at all: the bytes go to a temporary file beside it, which then takes its name. Whoever reads
// meanwhile sees the old file or the new one, and a crash leaves at most a temporary file that walkers know and skip.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ToolError } from "@harness/spec";
import { explained } from "../paths/file-problem.js";
import { exchanged, type FoundFile, findFile } from "../paths/found-file.js";
import { makeFolder, type PinnedFolder } from "../paths/pinned-folder.js";
import type { Place } from "../paths/place.js";

/** True for the name of a temporary file of a write, which a crash may have left. */
export function isTemporary(name: string): boolean {
  return /^\.harness-[0-9a-f]{16}\.tmp$/.test(name);
}

export interface Replacement<Answer> {
  /** What was found at the place, `null` for no file: it must still be there, and its mode and owner are kept. */
  readonly found: FoundFile | null;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
  /** Made while the new content goes to the disk, and before the change: nothing can fail once that has happened. */
  readonly answer: () => Promise<Answer>;
}

/**
 * Puts `bytes` at `place` and resolves to the answer. Makes missing folders. Rejects, having changed nothing but perhaps made
 * folders: `ToolError` when the file is not `found` any more or the system refuses, `ActRefusedError` when the path leads
 * elsewhere, the signal's reason when it has fired, and with what `answer` rejects with.
 */
export async function replaceFile<Answer>(place: Place, replacement: Replacement<Answer>): Promise<Answer> {
  return explained(`Could not write ${JSON.stringify(place.target)}`, async () => {
    const folder = await makeFolder(place.root, dirname(place.absolute));
    if (!folder) throw exchanged("write", place);
    try {
      const answer = await swapIn(folder, place, replacement);
      await folder.sync();
      return answer;
    } finally {
      await folder.close();
    }
  });
}

async function swapIn<Answer>(
  folder: PinnedFolder,
  place: Place,
  { found, bytes, signal, answer }: Replacement<Answer>,
): Promise<Answer> {
  const temporary = folder.at(`.harness-${randomBytes(8).toString("hex")}.tmp`);
  try {
    const answered = await writeDurably(temporary, { found, bytes, answer });
    // As late as can be: what someone else wrote in the meantime is not overwritten unseen.
    const now = await findFile("write", place, { expected: found?.bytes });
    if (now?.bytes !== found?.bytes) throw changedSince(place);
    signal.throwIfAborted();
    if (!(await folder.isInPlace())) throw exchanged("write", place);
    await rename(temporary, folder.at(basename(place.absolute)));
    return answered;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeDurably<Answer>(
  path: string,
  { found, bytes, answer }: Omit<Replacement<Answer>, "signal">,
): Promise<Answer> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  // A new file takes what the process's umask leaves; a replaced one is nobody else's to read until it has its own mode.
  const handle = await open(path, flags, found ? 0o600 : 0o666);
  try {
    await writeAll(handle, bytes);
    if (found) {
      const own = await handle.stat();
      // Only the super-user may give files away, and for them a changed owner would be a surprise.
      if (own.uid !== found.uid || own.gid !== found.gid)
        await handle.chown(found.uid, found.gid).catch(() => undefined);
      await handle.chmod(found.mode);
    }
    // The handle is not closed before both have ended.
    const [synced, answered] = await Promise.allSettled([handle.sync(), answer()]);
    if (synced.status === "rejected") throw synced.reason;
    if (answered.status === "rejected") throw answered.reason;
    return answered.value;
  } finally {
    await handle.close();
  }
}

/** In one go where the system takes it all; `writeFile` of a handle goes through a large file by small pieces. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

/** The error for a file that is not what it was when the call was planned. */
export function changedSince(place: Place): ToolError {
  const name = JSON.stringify(place.target);
  return new ToolError(`Could not write ${name}: it changed since it was looked at. Read it again, then decide anew.`);
}
