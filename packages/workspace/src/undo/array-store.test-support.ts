// As much of a store as an undoing uses, in memory: streams, one lease for each tree, blobs. A test may look at every append, and
// stop one from happening.
import {
  type Answer,
  type Digest,
  genesis,
  type Lease,
  LeaseLostError,
  RunConflictError,
  type RunHead,
  type RunId,
  type RunRecord,
  type RunState,
  type Store,
  type StoredEvent,
  sha256,
  typeOf,
} from "@harness/spec";

export interface ArrayStore extends Store {
  readonly kept: Map<Digest, Uint8Array>;
  eventsOf(run: RunId): StoredEvent[];
  /** Called before each append, with what is to be appended. What it throws is what the append rejects with. */
  onAppend: (events: readonly StoredEvent[]) => void;
}

export function arrayStore(): ArrayStore {
  const streams = new Map<RunId, { readonly record: RunRecord; readonly events: StoredEvent[] }>();
  const leases = new Map<RunId, Lease>();
  const kept = new Map<Digest, Uint8Array>();
  let generation = 0;

  async function acquire(root: RunId, owner: string, ttlMs: number): Promise<Lease> {
    const held = leases.get(root);
    if (held && held.owner !== owner) throw new RunConflictError(root, held.owner, 0);
    generation += 1;
    const lease = { root, owner, generation, ttlMs };
    leases.set(root, lease);
    return lease;
  }

  const store: ArrayStore = {
    spec: 1,
    kept,
    onAppend: () => undefined,
    eventsOf: (run) => streams.get(run)?.events ?? [],
    async create(record) {
      streams.set(record.id, { record, events: [] });
    },
    acquire,
    async append(lease, run, events) {
      store.onAppend(events);
      if (leases.get(lease.root)?.owner !== lease.owner) throw new LeaseLostError(run, "somebody else holds it");
      store.eventsOf(run).push(...events);
    },
    async release({ root, owner }) {
      if (leases.get(root)?.owner === owner) leases.delete(root);
    },
    async *read(run, { after = 0 } = {}) {
      yield* store.eventsOf(run).slice(after);
    },
    async runs({ id } = {}) {
      return [...streams.values()].filter(({ record }) => record.id === id).map(headOf);
    },
    answer: async () => false,
    async *answers(): AsyncGenerator<Answer> {},
    blobs: {
      async put(bytes) {
        kept.set(sha256(bytes), bytes);
        return sha256(bytes);
      },
      get: async (digest) => kept.get(digest),
      delete: async (digest) => void kept.delete(digest),
    },
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return store;
}

function headOf({ record, events }: { readonly record: RunRecord; readonly events: readonly StoredEvent[] }): RunHead {
  const last = events.at(-1);
  const isEnded = events.some((event) => typeOf(event) === "run.finished");
  const state: RunState = isEnded ? "ended" : "running";
  return { ...record, ...(last ?? genesis(record.id)), state, lease: null };
}
