// The heads of the streams in memory, read off their last events.
import {
  type Answer,
  genesis,
  type LeaseView,
  type RunHead,
  type RunId,
  type RunQuery,
  type RunRecord,
  type RunState,
  type StoredEvent,
  typeOf,
} from "@harness/spec";

/** Everything that one run has. */
export interface Stream {
  readonly record: RunRecord;
  readonly events: StoredEvent[];
  readonly answers: Answer[];
}

/** The heads that `query` asks for, newest first; of the same age, the one that was created later first. */
export function listHeads(
  streams: ReadonlyMap<RunId, Stream>,
  leaseOf: (root: RunId) => LeaseView | null,
  { id, root, state, limit = 100 }: RunQuery,
): RunHead[] {
  const one = id === undefined ? undefined : streams.get(id);
  const candidates = id === undefined ? [...streams.values()].reverse() : one ? [one] : [];
  return candidates
    .filter((stream) => root === undefined || stream.record.root === root)
    .filter((stream) => state === undefined || stateOf(stream) === state)
    .sort((a, b) => b.record.createdAt - a.record.createdAt)
    .slice(0, Math.max(0, limit))
    .map((stream) => headOf(stream, leaseOf(stream.record.root)));
}

function headOf(stream: Stream, lease: LeaseView | null): RunHead {
  const { seq, hash } = stream.events.at(-1) ?? genesis(stream.record.id);
  return { ...stream.record, state: stateOf(stream), seq, hash, lease };
}

function stateOf({ events }: Stream): RunState {
  const last = events.at(-1);
  const type = last && typeOf(last);
  if (type === "run.finished") return "ended";
  return type === "run.paused" ? "paused" : "running";
}
