// Real events, sealed: what core would hand to a store. A log remembers its head, so that the next batch follows on.
import {
  callId,
  type Digest,
  genesis,
  type Lease,
  type NewEvent,
  type RunEvent,
  type RunId,
  type RunRecord,
  redactor,
  runId,
  type Store,
  type StoredEvent,
  seal,
  type TraceHead,
} from "@harness/spec";

const redact = redactor();
const start = 1_750_000_000_000;

/** Makes the sealed events of one run, in order. */
export interface Log {
  readonly head: TraceHead;
  /** Everything that was made so far. */
  readonly all: readonly StoredEvent[];
  next(...events: readonly NewEvent[]): readonly StoredEvent[];
}

export function logOf(run: RunId): Log {
  let head = genesis(run);
  const all: StoredEvent[] = [];
  return {
    get head() {
      return head;
    },
    all,
    next(...events) {
      return events.map((event) => {
        const stamped = { ...event, seq: head.seq + 1, at: start + head.seq } as RunEvent;
        const { stored } = seal(head, stamped, redact);
        head = { seq: stored.seq, hash: stored.hash };
        all.push(stored);
        return stored;
      });
    },
  };
}

/** The record of a root, or of a run under `root`. Later `createdAt` is newer. */
export function recordOf(name: string, more: Partial<RunRecord> = {}): RunRecord {
  const id = runId(name);
  return { id, root: id, parent: null, createdAt: start, ...more };
}

export interface Driven {
  readonly run: RunId;
  readonly record: RunRecord;
  readonly lease: Lease;
  readonly log: Log;
}

/** A root that is created and held by `owner` for ten minutes. */
export async function drive(
  store: Store,
  name = "run-1",
  owner = "elsewhere:1:first",
  more: Partial<RunRecord> = {},
): Promise<Driven> {
  const record = recordOf(name, more);
  await store.create(record);
  const lease = await store.acquire(record.id, owner, 600_000);
  return { run: record.id, record, lease, log: logOf(record.id) };
}

export const stepStarted = (step: number): NewEvent => ({ type: "step.started", step });
export const stepFinished = (step: number): NewEvent => ({ type: "step.finished", step, changed: false, ends: null });
export const runFinished = (steps: number): NewEvent => ({
  type: "run.finished",
  step: steps,
  ending: { type: "success" },
  steps,
});
export const runPaused = (steps: number): NewEvent => ({
  type: "run.paused",
  step: steps,
  pause: { type: "budget", limit: "steps" },
  steps,
  content: { message: null },
});
export const filesRewound = (step: number): NewEvent => ({
  type: "files.rewound",
  step,
  phase: "done",
  scope: "file",
  undid: null,
  forced: false,
  paths: [{ path: "src/sum.ts", result: "removed", after: null }],
});
/** A file whose bytes are the blob `digest`. */
export const fileKept = (digest: Digest, bytes: number): NewEvent => ({
  type: "file.kept",
  step: 1,
  call: callId(1, 1),
  path: "logo.png",
  state: "binary",
  digest,
  bytes,
  content: { text: null },
});
/** An event whose content is `text`. */
export const replanned = (text: string): NewEvent => ({ type: "run.replanned", step: 1, nth: 1, content: { text } });

export function runStarted(run: RunId, system: string): NewEvent {
  const digest = "0".repeat(64) as Digest;
  return {
    type: "run.started",
    step: 0,
    run,
    root: run,
    parent: null,
    workspace: "/srv/project",
    provider: "scripted",
    policy: { layers: [], defaults: { read: "allow", write: "ask", exec: "ask", net: "deny" } },
    limits: { ...limits },
    tools: [{ name: "read_file", effect: "read", recovery: "replayable" }],
    backend: null,
    enforces: null,
    digests: { contract: digest, system: digest, tools: digest },
    labels: {},
    content: {
      contract: {
        goal: system,
        verify: { type: "none" },
        constraints: [],
        mode: "workspace-write",
        questions: false,
        plan: false,
        caps: {},
        replayable: [],
        env: [],
      },
      system,
    },
  };
}

const limits = {
  maxSteps: 12,
  maxRetries: 2,
  retryBaseMs: 500,
  retryMaxMs: 30_000,
  completionTimeoutMs: 600_000,
  toolTimeoutMs: 600_000,
  execTimeoutMs: 900_000,
  maxParallelReads: 10,
  maxObservationChars: 12_000,
  stallWindow: 3,
  maxReplans: 1,
};
