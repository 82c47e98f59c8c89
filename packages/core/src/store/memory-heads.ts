// The heads of the streams in memory, read off their last events.
import {
  type Answer,
  genesis,
  type LeaseView,
  type RunEventType,
  type RunHead,
  type RunId,
  type RunQuery,
  type RunRecord,
  type RunState,
  type StoredEvent,
  type TraceHead,
  typeOf,
} from "@harness/spec";

/** Everything that one run has. */
export interface Stream {
  readonly record: RunRecord;
  readonly events: StoredEvent[];
  readonly answers: Answer[];
  /** Where its chain begins, once somebody asked. */
  origin?: TraceHead;
}

/** Streams by name, and in the order in which they are listed: all of them, and those of each workspace. */
export interface Shelf {
  get(run: RunId): Stream | undefined;
  add(stream: Stream): void;
  /** The heads that `query` asks for, newest first; of the same age, the one that was created later first. */
  list(query: RunQuery, leaseOf: (root: RunId) => LeaseView | null): RunHead[];
}

/** Kept in order, because a thousand runs that start together each ask for the newest in their workspace. */
export function memoryShelf(): Shelf {
  const byId = new Map<RunId, Stream>();
  const all: Stream[] = [];
  const byWorkspace = new Map<string, Stream[]>();

  function shelvesOf({ workspace }: RunRecord): Stream[][] {
    if (workspace === undefined) return [all];
    const shelf = byWorkspace.get(workspace) ?? [];
    byWorkspace.set(workspace, shelf);
    return [all, shelf];
  }

  function shelfOf({ id, workspace }: RunQuery): readonly Stream[] {
    if (id === undefined) return workspace === undefined ? all : (byWorkspace.get(workspace) ?? []);
    const stream = byId.get(id);
    return stream && (workspace === undefined || stream.record.workspace === workspace) ? [stream] : [];
  }

  return {
    get: (run) => byId.get(run),
    add(stream) {
      byId.set(stream.record.id, stream);
      for (const shelf of shelvesOf(stream.record)) insert(shelf, stream);
    },
    list(query, leaseOf) {
      const { limit = 100 } = query;
      const shelf = shelfOf(query);
      const heads: RunHead[] = [];
      for (let index = shelf.length - 1; index >= 0 && heads.length < limit; index -= 1) {
        const stream = shelf[index];
        if (stream && isWanted(stream, query)) heads.push(headOf(stream, leaseOf(stream.record.root)));
      }
      return heads;
    },
  };
}

/** Behind all that are no younger; nearly always that is the end. */
function insert(shelf: Stream[], stream: Stream): void {
  let index = shelf.length;
  while (index > 0 && (shelf[index - 1]?.record.createdAt ?? 0) > stream.record.createdAt) index -= 1;
  shelf.splice(index, 0, stream);
}

function isWanted(stream: Stream, { root, state }: RunQuery): boolean {
  return (
    (root === undefined || stream.record.root === root) && (state === undefined || stateOf(stream.events) === state)
  );
}

/** Worked out once: a thousand runs that start together see each other before any has an event. */
function originOf(stream: Stream): TraceHead {
  stream.origin ??= genesis(stream.record.id);
  return stream.origin;
}

function headOf(stream: Stream, lease: LeaseView | null): RunHead {
  const { seq, hash } = stream.events.at(-1) ?? originOf(stream);
  return { ...stream.record, state: stateOf(stream.events), seq, hash, lease };
}

/** Whether nothing of the run itself will come any more. */
export function hasEnded(events: readonly StoredEvent[]): boolean {
  return lastType(events) === "run.finished";
}

/** What was done to the files afterwards is no part of how the run stands. */
function lastType(events: readonly StoredEvent[]): RunEventType | undefined {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    const type = event && typeOf(event);
    if (type !== "files.rewound") return type;
  }
  return undefined;
}

function stateOf(events: readonly StoredEvent[]): RunState {
  const type = lastType(events);
  if (type === "run.finished") return "ended";
  return type === "run.paused" ? "paused" : "running";
}
