// A store in the memory of one process that passes the suite, upkeep included. It declines two things: that what it holds is there
// when it is opened again, and `follow`.
import {
  genesis,
  type Lease,
  LeaseLostError,
  type RunHead,
  type Store,
  StoreError,
  type StoreUpkeep,
  sha256,
} from "@harness/spec";
import { refuseHeld, type ToyStream, type Toys, toyState, toyUpkeep } from "./toy-upkeep.test-support.js";

// biome-ignore format: one method a line or two, so that the whole can be seen.
export function toyStore(): Store & StoreUpkeep {
  const toys: Toys = { streams: new Map(), leases: new Map(), blobs: new Map() };
  const { leases, blobs } = toys;
  let isClosed = false;
  const open = () => { if (isClosed) throw new StoreError("closed", "Could not use the store: it is closed."); return toys.streams; };
  const held = ({ root, owner, generation }: Lease) => {
    const lease = leases.get(root);
    return lease?.owner === owner && lease.generation === generation ? lease : undefined;
  };
  const headOf = (stream: ToyStream): RunHead => {
    const lease = leases.get(stream.record.root);
    const { seq, hash } = stream.events.at(-1) ?? genesis(stream.record.id);
    return { ...stream.record, seq, hash, state: toyState(stream), lease: lease?.owner ? { ...lease, isAlive: null } : null };
  };
  return {
    spec: 1,
    ...toyUpkeep(toys, open),
    async create(record) {
      const known = open().get(record.id)?.record;
      if (!known) toys.streams.set(record.id, { record, events: [], answers: new Map(), isArchived: false });
      else if (JSON.stringify(known) !== JSON.stringify(record)) throw new StoreError("constraint", `Run ${record.id} has another record.`);
    },
    async acquire(root, owner, ttlMs) {
      open();
      refuseHeld(toys, root, owner);
      const lease = leases.get(root);
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
    async runs({ id, root, workspace, state, limit = 100 } = {}) {
      const wanted = Object.entries({ id, root, workspace, state }).filter(([, value]) => value !== undefined);
      const heads = [...open().values()].map(headOf).filter((head) => wanted.every(([key, value]) => head[key as keyof RunHead] === value));
      return heads.sort((a, b) => b.createdAt - a.createdAt).slice(0, limit);
    },
    async answer(run, answer) { const inbox = open().get(run)?.answers; return !inbox?.has(answer.request) && !!inbox?.set(answer.request, answer); },
    async *answers(run) { yield* open().get(run)?.answers.values() ?? []; },
    blobs: {
      async put(bytes) {
        const digest = sha256(bytes);
        open() && blobs.set(digest, { bytes: new Uint8Array(bytes), puts: (blobs.get(digest)?.puts ?? 0) + 1 });
        return digest;
      },
      async get(digest) { return open() && blobs.get(digest)?.bytes; },
      async delete(digest) { open() && blobs.delete(digest); },
    },
    async close() { isClosed = true; },
    async [Symbol.asyncDispose]() { isClosed = true; },
  };
}
