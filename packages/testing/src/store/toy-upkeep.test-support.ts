// The upkeep of a toy: what the suite asks for, over three maps.
import {
  type Answer,
  type Digest,
  RunConflictError,
  type RunHead,
  type RunId,
  type RunRecord,
  type StoredEvent,
  StoreError,
  type StoreUpkeep,
  typeOf,
} from "@harness/spec";

export interface ToyStream {
  readonly record: RunRecord;
  events: StoredEvent[];
  readonly answers: Map<string, Answer>;
  isArchived: boolean;
}

/** What the store is made of. */
export interface Toys {
  readonly streams: Map<RunId, ToyStream>;
  readonly leases: Map<RunId, { owner: string; generation: number; expiresAt: number }>;
  /** `puts` counts how often the bytes were put. */
  readonly blobs: Map<Digest, { readonly bytes: Uint8Array; puts: number }>;
}

const states: Readonly<Record<string, "paused" | "ended">> = { "run.paused": "paused", "run.finished": "ended" };

export function toyState({ events }: ToyStream): RunHead["state"] {
  const last = events.findLast((event) => typeOf(event) !== "files.rewound");
  return (last && states[typeOf(last)]) ?? "running";
}

/** Throws `RunConflictError` while another than `owner` has the tree. */
export function refuseHeld({ leases }: Toys, root: RunId, owner?: string): void {
  const lease = leases.get(root);
  if (!lease?.owner || lease.owner === owner || lease.expiresAt <= Date.now()) return;
  throw new RunConflictError(root, lease.owner, lease.expiresAt);
}

export function toyUpkeep(toys: Toys, open: () => Toys["streams"]): StoreUpkeep {
  const under = (run: RunId): readonly ToyStream[] => {
    const top = open().get(run);
    const children = [...open().values()].filter(({ record }) => record.parent === run);
    return top ? [top, ...children.flatMap(({ record }) => under(record.id))] : [];
  };
  const treesBefore = (before: number) => {
    const trees = [...open().values()]
      .filter(({ record }) => record.root === record.id)
      .map(({ record }) => under(record.id));
    return trees.filter((tree) => tree.every(({ record }) => record.createdAt < before));
  };

  /** How often events of `streams` name each blob. */
  function namings(streams: Iterable<ToyStream>): Map<Digest, number> {
    const counts = new Map<Digest, number>();
    for (const { events, isArchived } of streams) {
      for (const digest of isArchived ? [] : events.flatMap(namedBy)) counts.set(digest, (counts.get(digest) ?? 0) + 1);
    }
    return counts;
  }

  function blobsOf(streams: readonly ToyStream[]): readonly Digest[] {
    const others = namings([...open().values()].filter((stream) => !streams.includes(stream)));
    const mine = [...namings(streams)].filter(([digest]) => !others.has(digest));
    return mine.filter(([digest, times]) => (toys.blobs.get(digest)?.puts ?? 0) <= times).map(([digest]) => digest);
  }

  function weigh(streams: readonly ToyStream[]): number {
    const rows = streams.flatMap(({ events, answers }) => [...events, ...answers.values()]);
    const blobs = blobsOf(streams).map((digest) => toys.blobs.get(digest)?.bytes.length ?? 0);
    return JSON.stringify(rows).length - 2 + blobs.reduce((sum, size) => sum + size, 0);
  }

  function dropBlobs(streams: readonly ToyStream[]): void {
    const dropped = blobsOf(streams);
    for (const [digest, times] of namings(streams)) {
      const blob = toys.blobs.get(digest);
      if (blob) blob.puts -= times;
    }
    for (const digest of dropped) toys.blobs.delete(digest);
  }

  function remove(streams: readonly ToyStream[]): Awaited<ReturnType<StoreUpkeep["delete"]>> {
    const events = streams.reduce((sum, stream) => sum + stream.events.length, 0);
    const bytes = streams.length === 0 ? 0 : weigh(streams);
    dropBlobs(streams);
    for (const { record } of streams) {
      toys.streams.delete(record.id);
      toys.leases.delete(record.id);
    }
    return { runs: streams.length, events, bytes };
  }

  return {
    async size(run) {
      const streams = run === undefined ? [...open().values()] : under(run);
      return streams.length === 0 ? 0 : weigh(streams);
    },
    async delete(run) {
      const streams = under(run);
      if (streams[0]) refuseHeld(toys, streams[0].record.root);
      return remove(streams);
    },
    async sweep(before) {
      const refused: RunId[] = [];
      let runs = 0;
      for (const tree of treesBefore(before)) {
        const standing = tree.filter((stream) => toyState(stream) !== "ended").map(({ record }) => record.id);
        const root = tree[0]?.record.root as RunId;
        if (standing.length === 0 && !isHeld(toys, root)) runs += remove(tree).runs;
        else refused.push(...(standing.length > 0 ? standing : [root]));
      }
      return { runs, refused };
    },
    async archive(run) {
      const streams = under(run);
      const root = streams[0]?.record.root;
      if (root === undefined) return { cleared: 0 };
      refuseHeld(toys, root);
      const open = [...streams, ...under(root).slice(0, 1)].some((stream) => toyState(stream) !== "ended");
      if (open) throw new StoreError("constraint", `Could not archive run ${run}: it has not ended.`, { runId: run });
      return { cleared: clear(streams.filter(({ isArchived }) => !isArchived)) };
    },
    async compact() {
      return open() && 0;
    },
    async check() {
      return open() && [];
    },
  };

  function clear(streams: readonly ToyStream[]): number {
    dropBlobs(streams);
    let cleared = 0;
    for (const stream of streams) {
      cleared += stream.events.filter(({ contentHash }) => contentHash !== null).length;
      stream.events = stream.events.map((event) => ({ ...event, content: null }));
      stream.answers.clear();
      stream.isArchived = true;
    }
    return cleared;
  }
}

function isHeld(toys: Toys, root: RunId): boolean {
  try {
    refuseHeld(toys, root);
    return false;
  } catch {
    return true;
  }
}

function namedBy({ facts, content, contentHash }: StoredEvent): readonly Digest[] {
  const words = content === null && contentHash !== null ? [contentHash] : [];
  const { type, digest } = JSON.parse(facts);
  return type === "file.kept" ? [...words, digest] : words;
}
