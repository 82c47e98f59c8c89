// A run that is being driven: its recorder, its time, and the ports that the rooms perform their effects through. Everything
// a room reads from it is as of now, because state changes under parallel work.
import type {
  Approver,
  Clock,
  Decision,
  Lease,
  LiveUpdate,
  NewEvent,
  Provider,
  RecoveryDecision,
  Redactor,
  RequestId,
  Sandbox,
  SealedEvent,
  Store,
  TraceHead,
} from "@harness/spec";
import type { CompletionPorts } from "../step/complete.js";
import { eventWriter } from "../store/event-writer.js";
import { keepLease } from "../store/lease-keeper.js";
import { openScopes } from "../time/scope.js";
import { findKept, type KeptFile } from "../tools/file-state.js";
import type { ToolTable } from "../tools/tool-table.js";
import { recorder } from "./recorder.js";
import { factsOf, type RunState } from "./state.js";

/** What a driver brings. */
export interface Adapters {
  readonly provider: Provider;
  readonly store: Store;
  readonly sandbox: Sandbox | undefined;
  readonly approver: Approver | undefined;
  readonly tools: ToolTable;
  readonly clock: Clock;
  readonly redact: Redactor;
  /** Answers that a resume brings: each is taken once. */
  readonly decision: Decision | undefined;
  readonly recovery: RecoveryDecision | undefined;
}

export interface Watchers {
  onEvent(recorded: SealedEvent): void;
  onLive(update: LiveUpdate): void;
}

export interface OpenRun {
  readonly state: RunState;
  readonly ports: CompletionPorts;
  /** Why the log can no longer be written, once it cannot. */
  readonly failure: { readonly error: unknown } | undefined;
  record(...events: readonly NewEvent[]): void;
  durable(): Promise<void>;
  cancel(reason: unknown): void;
  close(): void;
}

export interface OpenRunOptions {
  readonly adapters: Adapters;
  readonly watchers: Watchers;
  readonly lease: Lease;
  readonly state: RunState;
  readonly head: TraceHead;
}

export function openRun({ adapters, watchers, lease, state: initial, head }: OpenRunOptions): OpenRun {
  const { store, clock, redact } = adapters;
  const scopes = openScopes(clock);
  let failure: { readonly error: unknown } | undefined;
  let isClosed = false;

  function fail(error: unknown): void {
    failure ??= { error };
    scopes.stopAll("store-failed", error);
  }

  const keeper = keepLease(store, lease, initial.id, clock, fail);
  const writer = eventWriter({
    store,
    lease,
    runId: initial.id,
    head: head.seq,
    onFailure: fail,
    onDurable(batch) {
      keeper.renewed();
      for (const recorded of batch) watchers.onEvent(recorded);
    },
  });
  const log = recorder({
    state: initial,
    head,
    clock,
    redact,
    writer,
    isClosed: () => isClosed || failure !== undefined,
  });
  const durable = () => (failure ? Promise.reject(failure.error) : writer.durable(log.state.seq));

  return {
    get state() {
      return log.state;
    },
    get failure() {
      return failure;
    },
    ports: portsOf(adapters, watchers, { log, scopes, durable, paid: (seq) => writer.durable(seq) }),
    record: log.record,
    durable,
    cancel(reason) {
      if (log.state.status.type !== "running" || log.state.marks.cancelled) return;
      log.record({ type: "cancel.requested", step: log.state.step.number, content: { reason: wordsOf(reason) } });
      scopes.stopAll("cancelled", reason);
    },
    close() {
      isClosed = true;
      keeper.stop();
      scopes.stopAll("cancelled");
      scopes.close();
    },
  };
}

/** A reason in words; `null` for the platform's own, which says nothing. */
function wordsOf(reason: unknown): string | null {
  if (typeof reason === "string") return reason;
  return reason instanceof Error && reason.name !== "AbortError" ? reason.message : null;
}

interface Inner {
  readonly log: ReturnType<typeof recorder>;
  readonly scopes: ReturnType<typeof openScopes>;
  readonly durable: () => Promise<void>;
  readonly paid: (seq: number) => Promise<void>;
}

function portsOf(adapters: Adapters, watchers: Watchers, { log, scopes, durable, paid }: Inner): CompletionPorts {
  let { decision, recovery } = adapters;
  const { redact } = adapters;
  const take = <Value>(value: Value, forget: () => void): Value => {
    forget();
    return value;
  };
  return {
    ...adapters,
    runId: log.state.id,
    scopes,
    get step() {
      return log.state.step.number;
    },
    get contract() {
      return factsOf(log.state).contract;
    },
    get policy() {
      return factsOf(log.state).driver.policy;
    },
    get startedAt() {
      return factsOf(log.state).startedAt;
    },
    get failures() {
      return log.state.step.failures;
    },
    record: log.record,
    durable,
    paid: () => paid(log.state.step.paid[0]),
    live: (update) => watchers.onLive("text" in update ? { ...update, text: redact.text(update.text) } : update),
    takeDecision: (_request: RequestId) => take(decision, () => (decision = undefined)),
    takeRecovery: () => take(recovery, () => (recovery = undefined)),
    isKept: (path) => findKept(log.state.files, path) !== undefined,
    kept: async (path) => bytesOf(adapters.store, findKept(log.state.files, path)),
    keepBlob: async (bytes) => void (await adapters.store.blobs.put(bytes)),
  };
}

async function bytesOf(store: Store, kept: KeptFile | undefined): Promise<Uint8Array | null | undefined> {
  if (!kept) return undefined;
  if (kept.state === "absent") return null;
  if (kept.text !== null) return new TextEncoder().encode(kept.text);
  return kept.digest === null || kept.state === "unkept" ? undefined : store.blobs.get(kept.digest);
}
