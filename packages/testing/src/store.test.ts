// A store in about forty lines that passes the suite. It declines two things: that what it holds is there when it is opened
// again, and `follow`.
import {
  type Answer,
  type Digest,
  genesis,
  type Lease,
  LeaseLostError,
  RunConflictError,
  type RunId,
  type RunRecord,
  type Store,
  type StoredEvent,
  StoreError,
  sha256,
  typeOf,
} from "@harness/spec";
import { describeStore } from "./store.js";

const states: Record<string, "paused" | "ended"> = { "run.paused": "paused", "run.finished": "ended" };

// biome-ignore format: one method a line or two, so that the whole can be seen.
function toyStore(): Store {
  const streams = new Map<RunId, { record: RunRecord; events: StoredEvent[]; answers: Map<string, Answer> }>();
  const leases = new Map<RunId, { owner: string; generation: number; expiresAt: number }>();
  const kept = new Map<Digest, Uint8Array>();
  let isClosed = false;
  const open = () => { if (isClosed) throw new StoreError("closed", "Could not use the store: it is closed."); return streams; };
  const held = ({ root, owner, generation }: Lease) => {
    const lease = leases.get(root);
    return lease?.owner === owner && lease.generation === generation ? lease : undefined;
  };
  const headOf = ({ record, events }: { record: RunRecord; events: StoredEvent[] }) => {
    const last = events.at(-1);
    const lease = leases.get(record.root);
    const { seq, hash } = last ?? genesis(record.id);
    return { ...record, seq, hash, state: (last && states[typeOf(last)]) ?? ("running" as const), lease: lease?.owner ? { ...lease, isAlive: null } : null };
  };
  return {
    spec: 1,
    async create(record) {
      const known = open().get(record.id)?.record;
      if (!known) streams.set(record.id, { record, events: [], answers: new Map() });
      else if (JSON.stringify(known) !== JSON.stringify(record)) throw new StoreError("constraint", `Run ${record.id} has another record.`);
    },
    async acquire(root, owner, ttlMs) {
      const lease = open() && leases.get(root);
      if (lease?.owner && lease.owner !== owner && lease.expiresAt > Date.now()) throw new RunConflictError(root, lease.owner, lease.expiresAt);
      const generation = (lease?.generation ?? 0) + (lease?.owner === owner ? 0 : 1);
      leases.set(root, { owner, generation, expiresAt: Date.now() + ttlMs });
      return { root, owner, generation, ttlMs };
    },
    async append(lease, run, events) {
      const [stream, mine] = [open().get(run), held(lease)];
      if (!mine || stream?.record.root !== lease.root) throw new LeaseLostError(run, "the lease is not this run's, or not valid any more");
      if (events.some(({ seq }, index) => seq !== stream.events.length + index + 1)) throw new LeaseLostError(run, "it has moved on");
      stream.events.push(...events);
      mine.expiresAt = Date.now() + lease.ttlMs;
    },
    async release(lease) { if (open() && held(lease)) leases.set(lease.root, { ...lease, owner: "", expiresAt: 0 }); },
    async *read(run, { after = 0 } = {}) { yield* open().get(run)?.events.slice(after) ?? []; },
    async runs({ id, root, state, limit = 100 } = {}) {
      const heads = [...open().values()].map(headOf).filter((head) => (!id || head.id === id) && (!root || head.root === root) && (!state || head.state === state));
      return heads.sort((a, b) => b.createdAt - a.createdAt).slice(0, limit);
    },
    async answer(run, answer) { const inbox = open().get(run)?.answers; return !inbox?.has(answer.request) && !!inbox?.set(answer.request, answer); },
    async *answers(run) { yield* open().get(run)?.answers.values() ?? []; },
    blobs: {
      async put(bytes) { const digest = sha256(bytes); open() && kept.set(digest, new Uint8Array(bytes)); return digest; },
      async get(digest) { return open() && kept.get(digest); },
      async delete(digest) { open() && kept.delete(digest); },
    },
    async close() { isClosed = true; },
    async [Symbol.asyncDispose]() { isClosed = true; },
  };
}

describeStore("a toy store", { open: toyStore });
