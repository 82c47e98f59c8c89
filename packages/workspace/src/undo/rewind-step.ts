// Taking one step's changes out of the files as they are now, the newest first. All of the step or nothing: it is planned for every
// file before the first one is touched.
import { type Digest, type EventOf, type RunId, type Store, sha256 } from "@harness/spec";
import { isOwnState, type LoggedChange } from "./file-log.js";
import { firstState } from "./first-state.js";
import { obstacleTo, openForUndo, putBack, type Target } from "./put-back.js";
import type { RewoundStep, UndoOptions } from "./results.js";
import { type Seat, seated } from "./seat.js";
import { type FindBytes, unapply } from "./unapply.js";
import { wordsOf } from "./words.js";

interface Reversal {
  readonly path: string;
  /** Absent where the file is already as it was before the step. */
  readonly target: Target | undefined;
  /** Of what was there before the step. */
  readonly after: Digest | null;
}

type Obstacle = Exclude<RewoundStep, { type: "applied" }>;

/**
 * Takes out of the files what `step` of `run` did to them. What later steps, or people, did to other places of a file stays, if it
 * left the lines of the step where they were; so undo steps newest first.
 *
 * Undone under a lease and recorded as `files.rewound`. Rejects as `rewind` does.
 */
export async function rewindStep(
  store: Store,
  run: RunId | string,
  step: number,
  options: UndoOptions = {},
): Promise<RewoundStep> {
  return seated(store, run as RunId, options, async (seat) => {
    const planned = await planStep(seat, step);
    return planned.type === "planned" ? applyStep(seat, step, planned.reversals) : planned;
  });
}

interface PlannedStep {
  readonly type: "planned";
  readonly reversals: readonly Reversal[];
}

async function planStep(seat: Seat, step: number): Promise<PlannedStep | Obstacle> {
  const paths = new Map<string, LoggedChange[]>();
  for (const change of seat.log.changes) {
    if (change.step === step) paths.set(change.path, [change, ...(paths.get(change.path) ?? [])]);
  }
  if (paths.size === 0) return { type: "no-hunk", path: null, reason: `step ${step} changed no file through a tool` };
  const reversals: Reversal[] = [];
  for (const [path, changes] of paths) {
    const planned = await planFile(seat, path, changes);
    if ("type" in planned) return planned;
    reversals.push(planned);
  }
  return { type: "planned", reversals };
}

/** `changes` are of one file, newest first. */
async function planFile(seat: Seat, path: string, changes: readonly LoggedChange[]): Promise<Reversal | Obstacle> {
  const opened = await openForUndo(seat, path);
  if (opened.type !== "opened") return { path, ...opened };
  const before = changes.at(-1)?.before ?? null;
  if (opened.digest === before) return { path, target: undefined, after: before };
  const reversible = await Promise.all(
    changes.map(async (change) => ({ ...change, diff: await diffOf(seat, change) })),
  );
  const undone = await unapply(opened.found?.bytes ?? null, reversible, bytesFinder(seat, path));
  if (undone.type !== "bytes") return { path, ...undone };
  const target = { ...opened, bytes: undone.bytes };
  const obstacle = obstacleTo(target);
  return obstacle ? { path, ...obstacle } : { path, target, after: undone.bytes && sha256(undone.bytes) };
}

async function diffOf({ store, run }: Seat, { stored, index }: LoggedChange): Promise<string | undefined> {
  const found = await wordsOf<"tool.finished">(store, run, stored);
  return found.type === "words" ? (found.words.diffs[index] ?? undefined) : undefined;
}

/** What was kept of a file before the run's first change serves when that is what is looked for. */
function bytesFinder({ store, run, log }: Seat, path: string): FindBytes {
  return async (digest) => {
    const file = log.files.get(path);
    const first = file?.kept.digest === digest ? await firstState(store, run, file) : undefined;
    return first?.type === "kept" ? (first.bytes ?? undefined) : undefined;
  };
}

async function applyStep(seat: Seat, step: number, reversals: readonly Reversal[]): Promise<RewoundStep> {
  const isRecorded = seat.log.isCut || reversals.some(({ target }) => target !== undefined);
  const record = async (phase: "intended" | "done", paths: readonly RecordedPath[]) => {
    if (isRecorded) await seat.record({ phase, scope: "step", undid: step, forced: false, paths });
  };
  const paths = reversals.map((reversal) => recorded(seat, reversal));
  await record("intended", paths);
  for (const [index, { path, target }] of reversals.entries()) {
    const problem = target && (await putBack(seat, target));
    if (!problem) continue;
    await record("done", [...paths.slice(0, index), { path, result: problem.type }]);
    return { path, ...problem };
  }
  await record("done", paths);
  return { type: "applied", files: reversals.map(({ path, after }) => ({ path, type: typeOf(after) })) };
}

type RecordedPath = EventOf<"files.rewound">["paths"][number];

/** What is left is the run's own only where nobody else's work is in it: otherwise a later undoing must not take it for that. */
function recorded({ log }: Seat, { path, after }: Reversal): RecordedPath {
  return { path, result: typeOf(after), ...(isOwnState(log, path, after) ? { after } : {}) };
}

function typeOf(after: Digest | null): "reversed" | "removed" {
  return after === null ? "removed" : "reversed";
}
