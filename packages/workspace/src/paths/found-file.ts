// Reads the file at a place, whole or not at all. A missing file is an answer, since a write may create it; what is not a
// regular file is an error, since reading it could wait forever.
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { Digest, FileAct } from "@harness/spec";
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
  /** Of `bytes`, where it was asked for. */
  readonly digest?: Digest;
}

/** More than any source file, and little enough to hold in memory a few times. */
const maxFileBytes = 64 * 1024 * 1024;

export interface Finding {
  readonly signal?: AbortSignal | undefined;
  /** What the file may be expected to hold. When it holds exactly that, `bytes` is this very array: nothing is copied. */
  readonly expected?: Uint8Array | undefined;
  /** Asks for the digest, which is taken while the file is read. */
  readonly withDigest?: boolean;
}

/**
 * The file at `place`, or `null` for none. Throws `ActRefusedError` when the path leads elsewhere by now, and `ToolError`
 * for a folder, a special file, one over `maxFileBytes`, or one that the system keeps from us; the signal's reason when it has fired.
 */
export async function findFile(
  act: FileAct["type"],
  place: Place,
  { signal, ...wanted }: Finding = {},
): Promise<FoundFile | null> {
  const attempt = `Could not ${act} ${JSON.stringify(place.target)}`;
  signal?.throwIfAborted();
  return explained(attempt, async () => {
    const handle = await openExisting(act, place);
    if (!handle) return null;
    try {
      return await readWhole(handle, attempt, wanted);
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

async function readWhole(handle: FileHandle, attempt: string, { expected, withDigest }: Finding): Promise<FoundFile> {
  const stats = await handle.stat();
  if (stats.isDirectory()) throw new ToolError(`${attempt}: it is a folder. Look with list_dir.`);
  if (!stats.isFile()) throw new ToolError(`${attempt}: it is not a regular file.`);
  if (stats.size > maxFileBytes) {
    throw new ToolError(
      `${attempt}: it has ${stats.size} bytes, over the limit of ${maxFileBytes}. Use a program with exec.`,
    );
  }
  const facts = { mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid };
  if (expected?.length === stats.size && (await holds(handle, expected))) return { bytes: expected, ...facts };
  if (!withDigest) return { bytes: await handle.readFile(), ...facts };
  return { ...(await readDigested(handle, stats.size)), ...facts };
}

const pieceBytes = 1024 * 1024;

/** Whether the file begins with `expected`. Leaves its position where it was. */
async function holds(handle: FileHandle, expected: Uint8Array): Promise<boolean> {
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, expected.length));
  for (let at = 0; at < expected.length; ) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0 || piece.compare(expected, at, at + bytesRead, 0, bytesRead) !== 0) return false;
    at += bytesRead;
  }
  return true;
}

/** What the file holds up to `size`. The digest of each piece is taken while the next one is on its way. */
async function readDigested(handle: FileHandle, size: number): Promise<Pick<FoundFile, "bytes" | "digest">> {
  const bytes = Buffer.allocUnsafeSlow(size);
  const digest = createHash("sha256");
  const read = (at: number) => handle.read(bytes, at, Math.min(pieceBytes, size - at), at);
  let at = 0;
  let next = size > 0 ? read(0) : undefined;
  while (next) {
    const { bytesRead } = await next;
    const piece = bytes.subarray(at, at + bytesRead);
    at += bytesRead;
    next = bytesRead > 0 && at < size ? read(at) : undefined;
    digest.update(piece);
  }
  return { bytes: bytes.subarray(0, at), digest: digest.digest("hex") as Digest };
}
