// Runs for the cases of upkeep: with words beside their events and in a blob, a kept file and an answer, ended or not.
import { type Digest, type NewEvent, type RunRecord, type Store, sha256 } from "@harness/spec";
import { approval } from "./answer-cases.js";
import {
  type Driven,
  drive,
  fileKept,
  logOf,
  recordOf,
  replanned,
  runFinished,
  runPaused,
  runStarted,
  stepStarted,
} from "./stream.js";

/** What no store may hold any more once a run was emptied. */
export const words = "a sentence that somebody wrote";
const bytesOf = (text: string) => new TextEncoder().encode(text);

export interface KeptRun extends Driven {
  /** The words that were put away as a blob. */
  readonly large: Digest;
  readonly file: Digest;
}

export interface Fill {
  /** How the run stops. Default `ended`. */
  readonly state?: "ended" | "paused" | "running";
  /** Runs with the same have the same blobs. Default: the run's name. */
  readonly seed?: string;
  readonly record?: Partial<RunRecord>;
}

const last: Readonly<Record<NonNullable<Fill["state"]>, NewEvent>> = {
  ended: runFinished(1),
  paused: runPaused(1),
  running: stepStarted(2),
};

/** A root in which everything happened, given back by its driver. */
export async function fill(
  store: Store,
  name: string,
  { state = "ended", seed = name, record }: Fill = {},
): Promise<KeptRun> {
  const driven = await drive(store, name, "elsewhere:1:first", record);
  const { run, lease, log } = driven;
  const file = bytesOf(`the file of ${seed}`);
  const [started, said, large, kept, end] = log.next(
    runStarted(run, words),
    replanned(words),
    replanned(`${words}, at length, in ${seed}`),
    fileKept(sha256(file), file.length),
    last[state],
  );
  await store.blobs.put(bytesOf(large?.content ?? ""));
  await store.blobs.put(file);
  await store.append(lease, run, [started, said, { ...large, content: null }, kept, end] as typeof log.all);
  await store.answer(run, approval(run, 1));
  await store.release(lease);
  return { ...driven, large: large?.contentHash as Digest, file: sha256(file) };
}

/** A run under `parent`, with one event and then `end`. */
export async function fillChild(
  store: Store,
  { run, record, lease }: Driven,
  end: NewEvent = runFinished(1),
): Promise<Driven> {
  const child = recordOf(`${run}/1.1`, { root: record.root, parent: run, createdAt: record.createdAt });
  await store.create(child);
  const held = await store.acquire(record.root, lease.owner, 600_000);
  const log = logOf(child.id);
  await store.append(held, child.id, log.next(replanned(words), end));
  await store.release(held);
  return { run: child.id, record: child, lease: held, log };
}
