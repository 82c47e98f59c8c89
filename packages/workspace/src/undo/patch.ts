// What a run did to files, as a series of patches in the order in which it happened. Read off the log alone: nothing is touched, no
// lease is needed, and a run that is under way can be asked, too.
import type { Digest, RunId, Store } from "@harness/spec";
import { parsePatch } from "../patch/parse-patch.js";
import { type FileLog, type LoggedChange, readFileLog } from "./file-log.js";
import { firstState } from "./first-state.js";
import { gitName } from "./git-name.js";
import { pieceFromDiff, pieceOf } from "./git-piece.js";
import { reapply } from "./reapply.js";
import type { PatchNote, PatchPiece, RunPatch } from "./results.js";
import { unknownRun } from "./seat.js";
import { isRedacted } from "./unapply.js";
import { wordsOf } from "./words.js";

/** What the series comes to at one path so far. */
interface Known {
  readonly digest: Digest | null;
  /** `undefined` where they are not known, `null` for no file. */
  readonly bytes: Uint8Array | null | undefined;
}

/**
 * The changes that `run` made to files through its tools, one piece each, for `git apply`: each piece alone in turn, or all at once.
 * What commands and people changed is not in it. A change without a usable record is a line that begins with `#`, and a note.
 *
 * Rejects with `StoreError` for an unknown run or a row that cannot be read.
 */
export async function patch(store: Store, run: RunId | string): Promise<RunPatch> {
  const id = run as RunId;
  const [head] = await store.runs({ id });
  if (!head) throw unknownRun(id);
  const log = await readFileLog(store, id);
  const known = new Map<string, Known>();
  const series = openSeries();
  for (const change of log.changes) {
    const left = known.get(change.path);
    const before = left ?? (await startOf(store, id, log, change));
    const isGap = before.digest !== change.before;
    if (isGap) series.note(change, "gap", gap);
    if (left && change.after === null) series.note(change, "apart", apart);
    const made = await pieceFor(store, id, change, isGap ? undefined : before.bytes);
    known.set(change.path, { digest: change.after, bytes: made.after });
    if (made.text === undefined) series.note(change, "left-out", made.reason);
    else series.add(change, made.text);
  }
  return series.done();
}

const gap = "something other than the run's file tools changed it before this, which is not in the series";
const apart = "apply the removal by itself, since git removes before it writes what the pieces above leave";

function openSeries() {
  const lines: string[] = [];
  const pieces: PatchPiece[] = [];
  const notes: PatchNote[] = [];
  return {
    note({ call, path }: LoggedChange, type: PatchNote["type"], reason: string): void {
      notes.push({ call, path, type, reason });
      lines.push(`# ${call} ${gitName(path)}: ${reason}.\n`);
    },
    add({ call, path }: LoggedChange, text: string): void {
      pieces.push({ call, path, text });
      lines.push(`# ${call} ${gitName(path)}\n`, text);
    },
    done: (): RunPatch => ({ text: lines.join(""), pieces, notes }),
  };
}

/** What was kept of the file before the run's first change. */
async function startOf(store: Store, run: RunId, { files }: FileLog, { path, before }: LoggedChange): Promise<Known> {
  if (before === null) return { digest: null, bytes: null };
  const file = files.get(path);
  const first = file && (await firstState(store, run, file));
  return first?.type === "kept" ? first : { digest: before, bytes: undefined };
}

type Made = { readonly after: Known["bytes"] } & (
  | { readonly text: string }
  | { readonly text?: undefined; readonly reason: string }
);

async function pieceFor(
  store: Store,
  run: RunId,
  { path, kind, index, stored, ...change }: LoggedChange,
  before: Known["bytes"],
): Promise<Made> {
  const found = await wordsOf<"tool.finished">(store, run, stored);
  if (found.type === "emptied") return { after: undefined, reason: "its words are archived" };
  const diff = found.words.diffs[index] ?? undefined;
  const after = change.after === null ? null : afterOf(before, diff, change.after);
  if (before !== undefined && after !== undefined) return { after, text: await pieceOf(path, { before, after }) };
  if (diff === undefined) return { after, reason: "no diff of it was kept, as for a file that is binary or large" };
  if (isRedacted(diff)) return { after, reason: "its diff may hold a marker where a secret was" };
  if (parsePatch(diff).type === "malformed") return { after, reason: "its diff cannot be read" };
  return { after, text: pieceFromDiff(path, kind, diff) };
}

function afterOf(before: Known["bytes"], diff: string | undefined, after: Digest): Uint8Array | undefined {
  return before === undefined || diff === undefined ? undefined : reapply(before, diff, after);
}
