// The store for tests and for programs that need no trace after they end. It keeps the very events it is given, in one array
// per run, and everything happens within the call: an append costs a comparison and a push. Followers are woken, they do not
// poll.
import {
  type Answer,
  LeaseLostError,
  type RunId,
  type RunRecord,
  type RunWatcher,
  runWatchers,
  type Store,
  type StoredEvent,
  StoreError,
} from "@harness/spec";
import { memoryBlobs } from "./memory-blobs.js";
import { hasEnded, memoryShelf, type Shelf } from "./memory-heads.js";
import { memoryLeases } from "./memory-leases.js";

export interface MemoryStoreOptions {
  /** The store's clock, in epoch ms; leases lapse by it. Default `Date.now`. */
  readonly now?: () => number;
}

const done = Promise.resolve();

/**
 * A `Store` in the memory of this process, gone when the process is. It cannot know whether an owner is alive, so a tree
 * changes hands when its lease is released or lapses.
 */
export function memoryStore({ now = Date.now }: MemoryStoreOptions = {}): Store {
  const shelf = memoryShelf();
  const leases = memoryLeases(now);
  const blobs = memoryBlobs();
  const { watch, wake, wakeAll } = runWatchers();
  let isClosed = false;

  function opened(): Shelf {
    if (isClosed) throw new StoreError("closed", "Could not use the store in memory: it is closed. Make a new one.");
    return shelf;
  }

  async function create(record: RunRecord): Promise<void> {
    const known = opened().get(record.id)?.record;
    if (!known) {
      shelf.add({ record, events: [], answers: [] });
    } else if (!isSame(known, record)) {
      throw new StoreError(
        "constraint",
        `Could not create run ${record.id}: that id has another record. Take a new id.`,
      );
    }
  }

  // On the path of every step: neither async nor copying.
  const append: Store["append"] = (lease, run, events) => {
    try {
      const stream = opened().get(run);
      const held = leases.held(lease, run);
      if (stream?.record.root !== lease.root) throw new LeaseLostError(run, `it is not under ${lease.root}`);
      compare(run, stream.events.length, events);
      leases.renew(held);
      for (const event of events) stream.events.push(event);
      wake(run);
      return done;
    } catch (error) {
      return Promise.reject(error);
    }
  };

  async function answer(run: RunId, given: Answer): Promise<boolean> {
    const inbox = opened().get(run)?.answers;
    if (!inbox)
      throw new StoreError("missing", `Could not answer ${given.request}: there is no run ${run}.`, { runId: run });
    if (inbox.some(({ request }) => request === given.request)) return false;
    inbox.push(structuredClone(given));
    wake(run);
    return true;
  }

  async function close(): Promise<void> {
    isClosed = true;
    wakeAll();
  }

  return {
    spec: 1,
    create,
    append,
    answer,
    acquire: async (root, owner, ttlMs) => opened() && leases.acquire(root, owner, ttlMs),
    release: async (lease) => void (opened() && leases.release(lease)),
    runs: async (query = {}) => opened().list(query, leases.view),
    read: (run, { after = 0, follow } = {}) =>
      tail(() => opened().get(run)?.events ?? [], {
        after,
        isOver: hasEnded,
        watch: () => follow && watch(run, follow),
      }),
    answers: (run, { follow } = {}) =>
      tail(() => opened().get(run)?.answers ?? [], { watch: () => follow && watch(run, follow) }),
    blobs: {
      put: async (bytes) => blobs.put(opened() && bytes),
      get: async (digest) => blobs.get(opened() && digest),
      delete: async (digest) => blobs.delete(opened() && digest),
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Tail<Item> {
  /** How many items to leave out at the start. */
  readonly after?: number;
  /** Nothing comes behind these items any more. */
  readonly isOver?: (items: readonly Item[]) => boolean;
  /** Called once the list is read, so that a list nobody reads watches nothing. */
  readonly watch: () => RunWatcher | undefined;
}

/** The items of a growing list, then, with a watcher, those that come. */
async function* tail<Item>(
  list: () => readonly Item[],
  { after = 0, isOver, watch }: Tail<Item>,
): AsyncGenerator<Item> {
  const watcher = watch();
  let position = Math.max(0, after);
  try {
    do {
      const items = list();
      for (const end = items.length; position < end; position++) yield items[position] as Item;
      // More may have come while these were looked at.
      if (position >= items.length && isOver?.(items)) return;
    } while (await watcher?.changed());
  } finally {
    watcher?.stop();
  }
}

function isSame(known: RunRecord, record: RunRecord): boolean {
  return (
    known.root === record.root &&
    known.parent === record.parent &&
    known.createdAt === record.createdAt &&
    known.workspace === record.workspace
  );
}

/** Throws unless `events` are exactly those that come after `seq`. */
function compare(run: RunId, seq: number, events: readonly StoredEvent[]): void {
  for (const [index, event] of events.entries()) {
    if (event.seq !== seq + index + 1) {
      throw new LeaseLostError(run, `event ${event.seq} does not follow on event ${seq + index}`);
    }
  }
}
