// Watching a run: events once they are durable, live updates as they come. Watching changes nothing; a watcher that leaves,
// throws or falls behind is its own affair.
import { type LiveUpdate, type Observer, type RunEvent, type RunId, type Store, unseal } from "@harness/spec";
import type { Watchers } from "../loop/open-run.js";
import { readLog } from "../store/read-log.js";

export interface Feed extends Watchers {
  /** The events from `after` on, then what follows, until the run is over. Each call is a reader of its own. */
  events(store: Store, run: RunId, after: number): AsyncIterableIterator<RunEvent>;
  /** Live updates from now on. Whoever falls behind by 10,000 loses the oldest. */
  readonly live: AsyncIterable<LiveUpdate>;
  /** There will be no more. With a failure, whoever reads on is told of it. */
  end(failure?: { readonly error: unknown }): void;
}

const mostBuffered = 10_000;

export interface FeedOptions {
  readonly observers?: readonly Observer[];
  readonly onLive?: (update: LiveUpdate) => void;
}

export function openFeed(run: RunId, { observers = [], onLive }: FeedOptions): Feed {
  const wakes = new Set<() => void>();
  const buffers = new Set<LiveUpdate[]>();
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let durable = 0;

  function wake(): void {
    for (const call of [...wakes]) call();
  }
  const change = () =>
    new Promise<void>((resolve) => {
      const call = () => {
        wakes.delete(call);
        resolve();
      };
      wakes.add(call);
    });

  async function* events(store: Store, run: RunId, after: number): AsyncGenerator<RunEvent> {
    for (let seen = after; ; ) {
      const isLastLook = isOver;
      for await (const { event } of readLog(store, run, seen)) {
        // The store may know more than this process has been told is durable; nothing is shown early.
        if (event.seq > durable && !isLastLook) break;
        seen = event.seq;
        yield event;
      }
      if (isLastLook && failure) throw failure.error;
      if (isLastLook) return;
      if (seen >= durable && !isOver) await change();
    }
  }

  async function* live(): AsyncGenerator<LiveUpdate> {
    const buffer: LiveUpdate[] = [];
    buffers.add(buffer);
    try {
      for (;;) {
        const update = buffer.shift();
        if (update) yield update;
        else if (isOver) return;
        else await change();
      }
    } finally {
      buffers.delete(buffer);
    }
  }

  return {
    onEvent({ stored, event }) {
      durable = event.seq;
      if (observers.length > 0) tell(observers, run, unseal(stored));
      wake();
    },
    onLive(update) {
      if (onLive) quietly(() => onLive(update));
      if (buffers.size === 0) return;
      for (const buffer of buffers) {
        buffer.push(update);
        if (buffer.length > mostBuffered) buffer.shift();
      }
      wake();
    },
    events,
    live: { [Symbol.asyncIterator]: live },
    end(reason) {
      isOver = true;
      failure = reason;
      wake();
    },
  };
}

/** A copy, read back from what was stored: an observer that changes it changes nothing else. */
function tell(observers: readonly Observer[], run: RunId, event: RunEvent): void {
  for (const observer of observers) quietly(() => observer.onEvent(run, event));
}

/** It watches; what it throws, or rejects with later, changes nothing. */
function quietly(call: () => unknown): void {
  try {
    const answer = call();
    if (answer instanceof Promise) answer.catch(() => {});
  } catch {
    // As above.
  }
}
