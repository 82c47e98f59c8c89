// Going back to what was there before a run's first change: of one file, or of all. What is about to be done is in the log before
// a file is touched, so a kill in between is visible, and the same undoing, started again, finishes it.
import type { Digest, RunId, Store } from "@harness/spec";
import type { LoggedFile } from "./file-log.js";
import { firstState } from "./first-state.js";
import { obstacleTo, openForUndo, putBack, settled, type Target } from "./put-back.js";
import type { RewindOptions, RewoundFile, RewoundRun, UndoFailure, UndoRefusal } from "./results.js";
import { type Seat, seated } from "./seat.js";

/** What is to be done with one file, or was. */
interface Plan {
  readonly result: Exclude<RewoundFile, { type: "not-recorded" }>;
  /** What is there then; absent where nothing is touched, nor was so already. */
  readonly after?: Digest | null;
  /** Absent where nothing is to be done. */
  readonly target?: Target;
}

/**
 * Puts the file at `path` back to what was there before `run` first wrote to it, or removes it when the run created it. The path is
 * relative to the run's workspace.
 *
 * Only a file that is as the run left it is touched, unless `force` is given; `stale` says that it is not. Undone under a lease, and
 * recorded as `files.rewound`. Rejects with `RunConflictError` while the run is driven, or undone, by somebody else; with
 * `StoreError` for an unknown run.
 */
export async function rewind(
  store: Store,
  run: RunId | string,
  path: string,
  options: RewindOptions = {},
): Promise<RewoundFile> {
  return seated(store, run as RunId, options, async (seat) => {
    const found = await findLogged(seat, path);
    if (found.type !== "logged") return { path, ...found };
    const [result] = await rewindAll(seat, "file", [found.file], options.force ?? false);
    return result as RewoundFile;
  });
}

/**
 * `rewind` for every file that the run wrote to. A file that cannot be put back keeps none of the others from it. What commands did,
 * and everything that is not a file, stays: the result counts it.
 */
export async function rewindRun(store: Store, run: RunId | string, options: RewindOptions = {}): Promise<RewoundRun> {
  return seated(store, run as RunId, options, async (seat) => {
    const { files, commands, otherEffects } = seat.log;
    return { files: await rewindAll(seat, "run", [...files.values()], options.force ?? false), commands, otherEffects };
  });
}

type Logged = { readonly type: "logged"; readonly file: LoggedFile } | { readonly type: "not-recorded" };

/** The record of `path`, also where it is called by the name of a link that leads to it. */
async function findLogged({ log, resolve }: Seat, path: string): Promise<Logged | UndoRefusal | UndoFailure> {
  const { workspace, files } = log;
  if (workspace === undefined) return { type: "not-recorded" };
  return settled(path, async () => {
    const { target, realTarget } = await resolve(workspace, "write", path);
    const file = files.get(target) ?? files.get(realTarget);
    return file ? { type: "logged", file } : { type: "not-recorded" };
  });
}

async function rewindAll(
  seat: Seat,
  scope: "file" | "run",
  files: readonly LoggedFile[],
  forced: boolean,
): Promise<readonly RewoundFile[]> {
  const planned: Plan[] = [];
  // Without the bytes: a plan is made again when its turn comes, so that memory holds one file.
  for (const file of files) planned.push(withoutBytes(await plan(seat, file, forced)));
  const isRecorded = seat.log.isCut || planned.some(({ target }) => target !== undefined);
  const facts = { scope, undid: null, forced } as const;
  if (isRecorded) await seat.record({ phase: "intended", ...facts, paths: planned.map(recorded) });
  const done: Plan[] = [];
  for (const file of files) done.push(withoutBytes(await act(seat, await plan(seat, file, forced))));
  if (isRecorded) await seat.record({ phase: "done", ...facts, paths: done.map(recorded) });
  return done.map(({ result }) => result);
}

async function plan(seat: Seat, file: LoggedFile, forced: boolean): Promise<Plan> {
  const { path } = file.kept;
  const opened = await openForUndo(seat, path);
  if (opened.type !== "opened") return { result: { path, ...opened } };
  const first = await firstState(seat.store, seat.run, file);
  if (first.type === "not-kept") return { result: { path, ...first } };
  const result = { path, type: first.bytes === null ? "removed" : "restored" } as const;
  if (opened.digest === first.digest) return { result, after: first.digest };
  const isOurs = seat.log.left.get(path)?.has(opened.digest) ?? false;
  if (!isOurs && !forced) return { result: { path, type: "stale" } };
  const target = { ...opened, bytes: first.bytes };
  const obstacle = obstacleTo(target);
  return obstacle ? { result: { path, ...obstacle } } : { result, after: first.digest, target };
}

async function act(seat: Seat, plan: Plan): Promise<Plan> {
  const problem = plan.target && (await putBack(seat, plan.target));
  return problem ? { result: { path: plan.result.path, ...problem } } : plan;
}

function withoutBytes({ target, ...rest }: Plan): Plan {
  return target ? { ...rest, target: { ...target, bytes: null, found: null } } : rest;
}

function recorded({ result: { path, type }, after }: Plan) {
  return { path, result: type, ...(after === undefined ? {} : { after }) };
}
