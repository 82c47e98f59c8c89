// The bytes before a series of changes, told from the bytes that are there now. As long as the content is what a change left, the
// result is checked by its digest; where it has moved on, a hunk must match exactly where it says, and the rest stays.
import { type Digest, sha256 } from "@harness/spec";
import { unpatchText } from "../patch/patch-text.js";
import { decode, encode } from "../text/decode.js";

export interface ReversibleChange {
  readonly before: Digest | null;
  readonly after: Digest | null;
  /** Unified; `undefined` where there is none, or none any more. */
  readonly diff: string | undefined;
}

export type Unapplied =
  /** `null` for no file. */
  | { readonly type: "bytes"; readonly bytes: Uint8Array | null }
  | { readonly type: "stale" }
  | { readonly type: "no-hunk"; readonly reason: string };

/** A copy of bytes by their digest, where the store has one. */
export type FindBytes = (digest: Digest) => Promise<Uint8Array | undefined>;

/** What was there before `changes` (newest first) came to `current`. `findBytes` serves where no diff does. */
export async function unapply(
  current: Uint8Array | null,
  changes: readonly ReversibleChange[],
  findBytes: FindBytes,
): Promise<Unapplied> {
  let bytes = current;
  for (const change of changes) {
    const digest = bytes && sha256(bytes);
    const before = digest === change.after ? await exactly(bytes, change, findBytes) : around(bytes, change);
    if (before.type !== "bytes") return before;
    bytes = before.bytes;
  }
  return { type: "bytes", bytes };
}

async function exactly(
  bytes: Uint8Array | null,
  { before, diff }: ReversibleChange,
  findBytes: FindBytes,
): Promise<Unapplied> {
  if (before === null) return { type: "bytes", bytes: null };
  const undone = diff === undefined ? undefined : unpatched(bytes ?? new Uint8Array(), diff);
  if (undone && sha256(undone) === before) return { type: "bytes", bytes: undone };
  const kept = await findBytes(before);
  if (kept) return { type: "bytes", bytes: kept };
  return diff === undefined
    ? withoutDiff
    : { type: "no-hunk", reason: "its diff does not hold what was there, as for a secret" };
}

/** Text that a change is taken out of while what else happened to it stays. A file that was made or deleted has nothing around it. */
function around(bytes: Uint8Array | null, { before, after, diff }: ReversibleChange): Unapplied {
  if (bytes === null || before === null || after === null) return { type: "stale" };
  if (diff === undefined) return withoutDiff;
  if (isRedacted(diff)) return { type: "no-hunk", reason: "its diff may hold a marker where a secret was" };
  const undone = unpatched(bytes, diff);
  return undone ? { type: "bytes", bytes: undone } : { type: "stale" };
}

const withoutDiff = {
  type: "no-hunk",
  reason: "no diff of it was kept, as for a file that is binary, large or archived",
} as const;

function unpatched(bytes: Uint8Array, diff: string): Uint8Array | undefined {
  const found = decode(bytes);
  if (found.type === "binary") return undefined;
  const text = unpatchText(found.text, diff);
  return text === undefined ? undefined : encode(text, found.encoding);
}

/** Whether a redactor may have been at `diff`: what looks like its marker may also be a file's own text. */
export function isRedacted(diff: string): boolean {
  return diff.includes("[redacted:");
}
