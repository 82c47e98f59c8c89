// A run's log, read back: rows become events, and content that is kept as a blob is fetched.
import {
  ResumeError,
  type RunEvent,
  type RunId,
  type SealedEvent,
  type Store,
  type StoredEvent,
  StoreError,
  unseal,
} from "@harness/spec";

/**
 * The events after `after`, in order. Throws `StoreError` (`corrupt`) for a row that is not an event, and `ResumeError` for one
 * whose words retention has emptied.
 */
export async function* readLog(store: Store, run: RunId, after = 0): AsyncGenerator<SealedEvent> {
  for await (const stored of store.read(run, { after })) yield readRow(store, run, stored);
}

/** One row, with its words in it. A promise only where the words have to be fetched, so that folding a long log does not wait for every event. */
export function readRow(store: Store, run: RunId, stored: StoredEvent): SealedEvent | Promise<SealedEvent> {
  const isFetched = stored.content === null && stored.contentHash !== null;
  return isFetched ? withContent(store, run, stored) : { event: parse(run, stored, stored.content), stored };
}

async function withContent(store: Store, run: RunId, stored: StoredEvent): Promise<SealedEvent> {
  const content = await fetchContent(store, run, stored);
  return { event: parse(run, stored, content), stored: { ...stored, content } };
}

async function fetchContent(store: Store, run: RunId, stored: StoredEvent): Promise<string> {
  const bytes = stored.contentHash === null ? undefined : await store.blobs.get(stored.contentHash);
  if (bytes) return new TextDecoder().decode(bytes);
  throw new ResumeError(
    `Run ${run} cannot go on: the words of event ${stored.seq} are no longer kept. Read its trace instead.`,
    {
      runId: run,
    },
  );
}

function parse(run: RunId, stored: StoredEvent, content: string | null): RunEvent {
  try {
    return unseal(stored, content);
  } catch (cause) {
    throw new StoreError("corrupt", `Event ${stored.seq} of run ${run} cannot be read: ${(cause as Error).message}.`, {
      cause,
      runId: run,
    });
  }
}
