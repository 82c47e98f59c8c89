// Makes events durable in order. While an append is under way, what comes after it waits and shares the next one. The first
// failure is the last: nothing behind it is written, and everyone who waits hears of it.
import type { Lease, RunId, SealedEvent, Store, StoredEvent } from "@harness/spec";

/** UTF-16 units of content beyond which it is kept as a blob. */
const largestInline = 256 * 1024;

export interface EventWriter {
  /** In `seq` order. */
  write(events: readonly SealedEvent[]): void;
  /** Resolves when the event with `seq` is durable; rejects when it never will be. */
  durable(seq: number): Promise<void>;
}

export interface EventWriterOptions {
  readonly store: Store;
  readonly lease: Lease;
  readonly runId: RunId;
  readonly head: number;
  onDurable(events: readonly SealedEvent[]): void;
  onFailure(error: unknown): void;
}

interface Waiter {
  readonly seq: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function eventWriter({ store, lease, runId, head, onDurable, onFailure }: EventWriterOptions): EventWriter {
  let queue: SealedEvent[] = [];
  let waiters: Waiter[] = [];
  let isWriting = false;
  let failure: { readonly error: unknown } | undefined;
  let durableSeq = head;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      await append(batch);
      durableSeq = batch[batch.length - 1]?.stored.seq ?? durableSeq;
      onDurable(batch);
      release();
    }
    // In the same tick as the last look at the queue: what comes next must find nobody writing.
    isWriting = false;
  }

  function append(batch: readonly SealedEvent[]): Promise<void> {
    const events = batch.map(({ stored }) => stored);
    return events.some(isLarge) ? appendLarge(events) : store.append(lease, runId, events);
  }

  async function appendLarge(events: readonly StoredEvent[]): Promise<void> {
    const kept: StoredEvent[] = [];
    for (const event of events) kept.push(isLarge(event) ? await asBlob(store, event) : event);
    await store.append(lease, runId, kept);
  }

  function release(): void {
    if (waiters.length === 0) return;
    const waiting = waiters;
    waiters = waiting.filter(({ seq }) => seq > durableSeq);
    for (const { seq, resolve } of waiting) if (seq <= durableSeq) resolve();
  }

  function fail(error: unknown): void {
    failure = { error };
    queue = [];
    onFailure(error);
    for (const { reject } of waiters) reject(error);
    waiters = [];
  }

  function begin(): void {
    isWriting = true;
    // Begun once everything that is ready to go on has gone on, so that what it records shares the append.
    process.nextTick(() => drain().catch(fail));
  }

  return {
    write(events) {
      if (failure) return;
      for (const event of events) queue.push(event);
      if (!isWriting) begin();
    },
    durable: (seq) => {
      if (seq <= durableSeq) return Promise.resolve();
      if (failure) return Promise.reject(failure.error);
      return new Promise((resolve, reject) => waiters.push({ seq, resolve, reject }));
    },
  };
}

function isLarge(event: StoredEvent): boolean {
  return event.content !== null && event.content.length > largestInline;
}

/** The blob's name is the content's hash, so the event already says where its words are. */
async function asBlob(store: Store, event: StoredEvent): Promise<StoredEvent> {
  await store.blobs.put(new TextEncoder().encode(event.content ?? ""));
  return { ...event, content: null };
}
