// Whether a trace is what was recorded. It proves that no stored event was changed, dropped from the middle or moved. It does
// not prove that the whole chain was not made anew, nor that no tail was cut off an unfinished run, unless the head's hash
// was kept elsewhere and is passed in.
import { sha256 } from "./digest.js";
import type { Digest, RunId } from "./ids.js";
import { chain, genesis, type StoredEvent, type TraceHead, typeOf } from "./seal.js";
import type { Store } from "./store.js";

export type TraceCheck =
  | {
      readonly type: "verified";
      readonly head: TraceHead;
      /** Whether there is a `run.finished`. Nothing but `files.rewound` may stand behind it. */
      readonly isFinished: boolean;
      /** Events whose words were emptied; their facts are still covered. */
      readonly emptied: number;
    }
  /** `seq`: the first event that does not fit. */
  | { readonly type: "broken"; readonly seq: number; readonly reason: string };

/** Checks the whole stream of `run` against itself, and its head against `expected` where one was kept. */
export async function verifyTrace(store: Store, run: RunId, expected?: Digest): Promise<TraceCheck> {
  let head = genesis(run);
  let emptied = 0;
  let isFinished = false;
  for await (const stored of store.read(run)) {
    const blob =
      stored.content === null && stored.contentHash !== null ? await store.blobs.get(stored.contentHash) : null;
    if (blob === undefined) emptied += 1;
    const reason = misfit(head, stored, blob ?? null, isFinished);
    if (reason) return { type: "broken", seq: stored.seq, reason };
    head = { seq: stored.seq, hash: stored.hash };
    isFinished ||= typeOf(stored) === "run.finished";
  }
  if (expected !== undefined && head.hash !== expected) {
    return {
      type: "broken",
      seq: head.seq,
      reason: "the head is not the one that was kept; a tail was cut or the chain was made anew",
    };
  }
  return { type: "verified", head, isFinished, emptied };
}

function misfit(head: TraceHead, stored: StoredEvent, blob: Uint8Array | null, afterEnd: boolean): string | undefined {
  if (afterEnd && typeOf(stored) !== "files.rewound") return "it stands behind run.finished";
  if (stored.seq !== head.seq + 1) return `it follows event ${head.seq}, so events between them are missing or moved`;
  const content = stored.content ?? blob;
  if (content !== null && sha256(content) !== stored.contentHash) return "its content was changed";
  if (stored.hash !== chain(head.hash, stored.facts, stored.contentHash))
    return "its facts or its place in the chain were changed";
  return undefined;
}
