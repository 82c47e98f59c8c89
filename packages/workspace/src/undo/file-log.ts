// What a run's log says of files, read in one pass: what was there before the first change of each, every change, and what the
// run left. Words stay where they are until somebody asks for them, because most of them are never needed.
import { withRemembered } from "@harness/policy";
import {
  type CallId,
  type Digest,
  type EventOf,
  type FileChange,
  genesis,
  type PolicyData,
  type Rule,
  type RunEvent,
  type RunEventType,
  type RunId,
  type Store,
  type StoredEvent,
  StoreError,
  type TraceHead,
  typeOf,
  unseal,
} from "@harness/spec";

export interface LoggedFile {
  readonly kept: EventOf<"file.kept">;
  /** Where its words are. */
  readonly stored: StoredEvent;
}

export interface LoggedChange extends FileChange {
  readonly call: CallId;
  readonly step: number;
  /** Its place among the changes of its call, and so among the diffs in `stored`. */
  readonly index: number;
  readonly stored: StoredEvent;
}

/** Where a log stands: what the next event follows on. */
export interface LogEnd {
  readonly head: TraceHead;
  readonly step: number;
  readonly at: number;
}

export interface FileLog {
  readonly end: LogEnd;
  /** Absent for a run that never started. */
  readonly workspace: string | undefined;
  /** The one the run was last driven under, remembered rules in it. */
  readonly policy: PolicyData | undefined;
  /** By path; the first of each. */
  readonly files: ReadonlyMap<string, LoggedFile>;
  readonly changes: readonly LoggedChange[];
  /** What may be at a path if nobody but the run, and who undid its work, has been there. `null` for no file. */
  readonly left: ReadonlyMap<string, ReadonlySet<Digest | null>>;
  /** Commands that calls ran. */
  readonly commands: number;
  /** Calls that changed something other than files. */
  readonly otherEffects: number;
  /** An undoing began and did not come to its end. */
  readonly isCut: boolean;
}

interface Draft {
  workspace: string | undefined;
  policy: PolicyData | undefined;
  files: Map<string, LoggedFile>;
  changes: LoggedChange[];
  left: Map<string, Set<Digest | null>>;
  remembered: Rule[];
  inForce: number;
  commands: number;
  otherEffects: number;
  isCut: boolean;
}

const telling: ReadonlySet<RunEventType> = new Set([
  "run.started",
  "run.resumed",
  "approval.decided",
  "step.finished",
  "file.kept",
  "tool.started",
  "tool.finished",
  "sandbox.started",
  "files.rewound",
]);

function emptyDraft(): Draft {
  return {
    workspace: undefined,
    policy: undefined,
    files: new Map(),
    changes: [],
    left: new Map(),
    remembered: [],
    inForce: 0,
    commands: 0,
    otherEffects: 0,
    isCut: false,
  };
}

/** Reads the log of `run`. Rejects with `StoreError` (`corrupt`) for a row that is not an event. */
export async function readFileLog(store: Store, run: RunId): Promise<FileLog> {
  const draft = emptyDraft();
  let last: StoredEvent | undefined;
  for await (const stored of store.read(run)) {
    last = stored;
    if (telling.has(typeOf(stored))) add(draft, factsOf(run, stored), stored);
  }
  const { remembered, inForce, policy, ...rest } = draft;
  const event = last && factsOf(run, last);
  const end = { head: last ?? genesis(run), step: event?.step ?? 0, at: event?.at ?? 0 };
  return { ...rest, end, policy: policy && withRemembered(policy, remembered.slice(0, inForce)) };
}

/** Whether `digest` is what the run found at `path`, or left there: nobody else's work is in it then. */
export function isOwnState({ files, changes }: FileLog, path: string, digest: Digest | null): boolean {
  return (
    files.get(path)?.kept.digest === digest || changes.some((change) => change.path === path && change.after === digest)
  );
}

function factsOf(run: RunId, stored: StoredEvent): RunEvent {
  try {
    return unseal(stored, null);
  } catch (cause) {
    const message = `Event ${stored.seq} of run ${run} cannot be read: ${(cause as Error).message}. Check the store.`;
    throw new StoreError("corrupt", message, { cause, runId: run });
  }
}

function add(draft: Draft, event: RunEvent, stored: StoredEvent): void {
  switch (event.type) {
    case "run.started":
      draft.workspace = event.workspace;
      draft.policy = event.policy;
      break;
    case "run.resumed":
      draft.policy = event.policy;
      break;
    case "approval.decided":
      draft.remembered.push(...event.remember);
      break;
    case "step.finished":
      draft.inForce = draft.remembered.length;
      break;
    case "file.kept":
      if (!draft.files.has(event.path)) draft.files.set(event.path, { kept: event, stored });
      break;
    case "sandbox.started":
      if (event.owner !== "gate") draft.commands += 1;
      break;
    case "tool.started":
      addIntent(draft, event);
      break;
    case "tool.finished":
      addChanges(draft, event, stored);
      break;
    case "files.rewound":
      addUndoing(draft, event);
      break;
    default:
  }
}

/** A write that was stopped, or whose driver died, may have happened all the same. */
function addIntent({ left }: Draft, { acts }: EventOf<"tool.started">): void {
  for (const { act } of acts) {
    if (act.type === "write" && act.after !== undefined) leftAt(left, act.target).add(act.after);
  }
}

function addChanges(draft: Draft, event: EventOf<"tool.finished">, stored: StoredEvent): void {
  const { call, step, changed, changes } = event;
  if (changed && changes.length === 0) draft.otherEffects += 1;
  for (const [index, change] of changes.entries()) {
    draft.changes.push({ ...change, call, step, index, stored });
    draft.left.set(change.path, new Set([change.after]));
  }
}

function addUndoing(draft: Draft, { phase, paths }: EventOf<"files.rewound">): void {
  draft.isCut = phase === "intended";
  for (const { path, after } of paths) {
    if (after === undefined) continue;
    if (phase === "intended") leftAt(draft.left, path).add(after);
    else draft.left.set(path, new Set([after]));
  }
}

function leftAt(left: Map<string, Set<Digest | null>>, path: string): Set<Digest | null> {
  const known = left.get(path) ?? new Set();
  left.set(path, known);
  return known;
}
