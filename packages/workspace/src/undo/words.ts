// The words behind an event's facts, fetched when they are needed: inline, from a blob, or gone because retention emptied them.
import { type EventOf, type RunEventType, type RunId, type Store, type StoredEvent, StoreError } from "@harness/spec";

export type Words<Type extends RunEventType> =
  | { readonly type: "words"; readonly words: NonNullable<EventOf<Type>["content"]> }
  | { readonly type: "emptied" };

/** The words of `stored`, an event of type `Type`. Rejects with `StoreError` (`corrupt`) for text that is not JSON. */
export async function wordsOf<Type extends RunEventType>(
  store: Store,
  run: RunId,
  { seq, content, contentHash }: StoredEvent,
): Promise<Words<Type>> {
  const blob = content === null && contentHash !== null ? await store.blobs.get(contentHash) : undefined;
  const text = content ?? (blob && new TextDecoder().decode(blob));
  if (text === undefined) return { type: "emptied" };
  try {
    return { type: "words", words: JSON.parse(text) };
  } catch (cause) {
    const message = `The words of event ${seq} of run ${run} cannot be read: ${(cause as Error).message}. Check the store.`;
    throw new StoreError("corrupt", message, { cause, runId: run });
  }
}
