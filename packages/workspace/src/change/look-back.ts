// Tells whether an interrupted write happened, from the digests that it was granted with. It only looks.
import { type Digest, isHarnessError, type LookContext, type Probe, sha256 } from "@harness/spec";
import { findFile } from "../paths/found-file.js";
import { grantedAct, type Resolve } from "../paths/place.js";
import { report, reportWithoutPrior, unchanged } from "./report.js";

export interface InterruptedWrite {
  readonly resolve: Resolve;
  readonly path: string;
  /** What may have been there before the write left `after`. */
  undo(after: Uint8Array): Iterable<Uint8Array>;
}

/** `done` when the path holds what was intended, `not-done` when it holds what was found, else `unknown`. */
export async function lookBack(write: InterruptedWrite, context: LookContext): Promise<Probe> {
  try {
    const place = await write.resolve(context.workspace, "write", write.path);
    const { before, after } = grantedAct("write", place, context.granted);
    // Without both digests a write throws before it changes anything.
    if (before === undefined || after === undefined) return { type: "not-done" };
    if (after === before) return { type: "done", result: unchanged(place) };
    const now = await findFile("write", place, { signal: context.signal });
    const found = now && sha256(now.bytes);
    if (found === before) return { type: "not-done" };
    if (!now || found === null || found !== after) return { type: "unknown" };
    const prior =
      before === null
        ? null
        : await priorBytes(await context.kept(place.realTarget), before, () => write.undo(now.bytes));
    const digests = { before, after: found };
    const result =
      prior === undefined
        ? reportWithoutPrior(place, now.bytes, digests)
        : report(place, { before: prior, after: now.bytes, digests });
    return { type: "done", result: await result };
  } catch (error) {
    // A path that leads elsewhere by now, or cannot be read, says nothing about the past.
    if (isHarnessError(error)) return { type: "unknown" };
    throw error;
  }
}

/** The bytes with the digest `before`: what the run kept of the file, or what undoing the write gives. */
function priorBytes(
  kept: Uint8Array | null | undefined,
  before: Digest,
  guesses: () => Iterable<Uint8Array>,
): Uint8Array | undefined {
  if (kept && sha256(kept) === before) return kept;
  for (const guess of guesses()) if (sha256(guess) === before) return guess;
  return undefined;
}
