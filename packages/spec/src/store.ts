// The durable record of runs: one append-only stream of events each. State, trace and reports are all read from it,
// so an adapter computes none of them. Beside the streams stand only the lease and the inbox of answers.
import type { Answer } from "./approver.js";
import type { Digest, RunId } from "./ids.js";
import type { StoredEvent } from "./seal.js";

/** What a stream starts with. A tree's root is its own `root`. */
export interface RunRecord {
  readonly id: RunId;
  readonly root: RunId;
  readonly parent: RunId | null;
  /** Epoch ms by the driver's clock. */
  readonly createdAt: number;
  /** Absolute, resolved: where it works. Absent for a run made before stores kept it. */
  readonly workspace?: string;
}

/** The right to append to every run of one tree. Values are compared, never the object. */
export interface Lease {
  readonly root: RunId;
  readonly owner: string;
  /** Grows by one with every change of owner. */
  readonly generation: number;
  readonly ttlMs: number;
}

/** `running` is being driven or was cut short; the lease tells which. */
export type RunState = "running" | "paused" | "ended";

export interface LeaseView {
  readonly owner: string;
  readonly expiresAt: number;
  /** Whether the owner is known to live; `null` when it cannot be known, as for another host. */
  readonly isAlive: boolean | null;
}

export interface RunHead extends RunRecord {
  readonly state: RunState;
  /** The last event's `seq`, 0 for a stream without events. */
  readonly seq: number;
  /** The last event's hash; the genesis hash for a stream without events. Kept elsewhere, it proves that no tail was cut. */
  readonly hash: Digest;
  readonly lease: LeaseView | null;
}

export interface RunQuery {
  readonly id?: RunId;
  readonly root?: RunId;
  readonly state?: RunState;
  /** Those that work in exactly this folder. */
  readonly workspace?: string;
  /** Newest first; default 100. */
  readonly limit?: number;
}

export interface ReadOptions {
  /** Events with a higher `seq` only. Default 0. */
  readonly after?: number;
  /** Keep waiting for more, also for the start of a run that is not there yet, until this fires or `run.finished` was read. */
  readonly follow?: AbortSignal;
}

/** Bytes named by what they are. */
export interface BlobStore {
  /** Durable when it resolves. The same bytes twice are kept once. */
  put(bytes: Uint8Array): Promise<Digest>;
  /** `undefined` for an unknown name. */
  get(digest: Digest): Promise<Uint8Array | undefined>;
  /** An unknown name is no error. */
  delete(digest: Digest): Promise<void>;
}

export interface Store {
  readonly spec: 1;

  /** Starts a stream. The same record twice is once; another record under a known id rejects with `StoreError` (`constraint`). */
  create(run: RunRecord): Promise<void>;

  /**
   * Takes the tree, or renews it for the same `owner`. Rejects with `RunConflictError` while another owner holds it, unless
   * that owner is known to be dead or its lease has lapsed. Only expiry is by the store's clock.
   */
  acquire(root: RunId, owner: string, ttlMs: number): Promise<Lease>;

  /**
   * Appends sealed `events` whole or not at all; durable when it resolves. Rejects with `LeaseLostError`, having written
   * nothing, when the tree has a new owner, the run is not under the lease's root, or the first `seq` is not the head's plus
   * one. Renews the lease when a quarter of its ttl has gone by; without events it does only that.
   */
  append(lease: Lease, run: RunId, events: readonly StoredEvent[]): Promise<void>;

  /** Gives the tree back. By anyone but the holder it does nothing. */
  release(lease: Lease): Promise<void>;

  /** In `seq` order. Yields nothing for an unknown run. Rejects with `StoreError` (`corrupt`) for a row that cannot be read. */
  read(run: RunId, options?: ReadOptions): AsyncIterable<StoredEvent>;

  runs(query?: RunQuery): Promise<readonly RunHead[]>;

  /** True for the first answer to a request, false for every later one. Needs no lease. */
  answer(run: RunId, answer: Answer): Promise<boolean>;

  /** In the order they were given. */
  answers(run: RunId, options?: { readonly follow?: AbortSignal }): AsyncIterable<Answer>;

  readonly blobs: BlobStore;

  /** May be called twice. What was under way settles first. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Upkeep that a store may offer. None of it is reachable by a model, and none happens by itself. */
export interface StoreUpkeep {
  /** Bytes on disk, of the whole or of one run. */
  size(run?: RunId): Promise<number>;
  /** Removes a run and everything under it. Rejects while it is being driven. */
  delete(run: RunId): Promise<{ readonly runs: number; readonly events: number; readonly bytes: number }>;
  /** Removes ended runs created before `before` (epoch ms). */
  sweep(before: number): Promise<{ readonly runs: number; readonly refused: readonly RunId[] }>;
  /** Empties every `content`; digests and facts stay, and the chain still verifies. Twice is once. */
  archive(run: RunId): Promise<{ readonly cleared: number }>;
  /** Gives space back to the file system; returns the bytes. */
  compact(): Promise<number>;
  /** What is wrong with the file, in words; empty when nothing is. `mend` repairs what can be. */
  check(options?: { readonly mend?: boolean }): Promise<readonly string[]>;
}

export interface MemoryNote {
  readonly key: string;
  readonly text: string;
  readonly isPinned: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Notes that outlive runs, by scope. Not a part of `Store`. Writes carry the call's id, so that one made twice is one. */
export interface MemoryStore {
  readonly spec: 1;
  list(scope: string): Promise<readonly MemoryNote[]>;
  /** Resolves to the keys that were evicted to make room. */
  put(scope: string, note: { readonly key: string; readonly text: string }, by: string): Promise<readonly string[]>;
  forget(scope: string, key: string, by: string): Promise<"removed" | "absent" | "pinned">;
}
