// One file of an undoing: what would be done to it, and doing it. Planning only looks, so that what is about to happen can be
// recorded before it does, and so that a second look, after a kill, comes to what is left to do.
import { type Digest, isHarnessError, sha256 } from "@harness/spec";
import { replaceFile } from "../change/replace-file.js";
import { explained } from "../paths/file-problem.js";
import { type FoundFile, findFile } from "../paths/found-file.js";
import { fileActs, type Place } from "../paths/place.js";
import { isSamePath } from "../paths/same-place.js";
import { refusalBy, refusalOf } from "./refusal.js";
import { removeFile } from "./remove-file.js";
import type { UndoFailure, UndoRefusal } from "./results.js";
import type { Seat } from "./seat.js";

/** The file at a path the undoing may write to. */
export interface OpenedFile {
  readonly type: "opened";
  readonly place: Place;
  /** `null` for no file. */
  readonly found: FoundFile | null;
  readonly digest: Digest | null;
}

/**
 * Looks at `path`, a real path that the log names. Refused where the policy does not allow writing there outright, before anything
 * is said of what it holds, and where it leads elsewhere by now.
 */
export async function openForUndo(
  { resolve, log, policy, signal }: Seat,
  path: string,
): Promise<OpenedFile | UndoRefusal | UndoFailure> {
  return settled(path, async () => {
    const place = await resolve(log.workspace ?? "", "write", path);
    if (!isSamePath(place.root, place.realTarget, path)) {
      return refusalBy({ reason: `it is a link by now, and leads to ${JSON.stringify(place.realTarget)}` });
    }
    const refusal = refusalOf(policy, fileActs("write", place));
    if (refusal) return refusal;
    const found = await findFile("write", place, { signal, withDigest: true });
    return { type: "opened", place, found, digest: found && (found.digest ?? sha256(found.bytes)) };
  });
}

/** What is to be at an opened place afterwards: `bytes`, or no file for `null`. */
export interface Target extends OpenedFile {
  readonly bytes: Uint8Array | null;
}

/** Whether the system would let it be done, as far as a look can tell. */
export function obstacleTo({ place, found, bytes }: Target): UndoFailure | undefined {
  // Renaming over it, or removing it, would get round the protection, which someone may have meant.
  if (!found || (found.mode & 0o222) !== 0) return undefined;
  const verb = bytes === null ? "remove" : "write";
  return { type: "failed", reason: `Could not ${verb} ${JSON.stringify(place.target)}: it is write-protected.` };
}

/** Puts `bytes` there, or removes the file; `undefined` when that was done. Rejects when the lease is lost or the signal fires. */
export async function putBack(
  seat: Seat,
  { place, found, bytes }: Target,
): Promise<UndoRefusal | UndoFailure | undefined> {
  await seat.hold();
  const { signal } = seat;
  const done = await settled<{ readonly type: "done" }>(place.target, async () => {
    if (bytes !== null) await replaceFile(place, { found, bytes, signal, answer: async () => undefined });
    else if (found) await removeFile(place, found, signal);
    return { type: "done" };
  });
  return done.type === "done" ? undefined : done;
}

/** What `work` comes to; a file that is kept from us is an answer, and everything else goes on up. */
export async function settled<Value>(
  path: string,
  work: () => Promise<Value | UndoRefusal | UndoFailure>,
): Promise<Value | UndoRefusal | UndoFailure> {
  try {
    return await explained(`Could not undo ${JSON.stringify(path)}`, work);
  } catch (error) {
    if (isHarnessError(error) && error.code === "act-refused") return refusalBy(error);
    if (isHarnessError(error) && error.code === "tool-failed") return { type: "failed", reason: error.message };
    throw error;
  }
}
