// A run that is being driven: its recorder, its time, and the ports that the rooms perform their effects through. Everything
// a room reads from it is as of now, because state changes under parallel work.
import type {
  Approver,
  Clock,
  Lease,
  LiveUpdate,
  NewEvent,
  PlanGate,
  PolicyData,
  Provider,
  Redactor,
  Responder,
  RunId,
  Sandbox,
  SealedEvent,
  Store,
  TaskContract,
  TraceHead,
} from "@harness/spec";
import { type Inbox, inboxOf } from "../boundary/inbox.js";
import { whilePlanning } from "../boundary/plan-gate.js";
import type { CompletionPorts } from "../step/complete.js";
import { type EventWriter, eventWriter } from "../store/event-writer.js";
import { keepLease, type LeaseKeeper } from "../store/lease-keeper.js";
import { openScopes, type Scopes } from "../time/scope.js";
import { findKept, type KeptFile } from "../tools/file-state.js";
import type { ToolTable } from "../tools/tool-table.js";
import type { Next } from "./decide.js";
import { Recorder } from "./recorder.js";
import { factsOf, promptChars, type RunState } from "./state.js";

/** What a driver brings. */
export interface Adapters {
  readonly provider: Provider;
  readonly store: Store;
  readonly sandbox: Sandbox | undefined;
  readonly approver: Approver | undefined;
  readonly responder: Responder | undefined;
  readonly planGate: PlanGate | undefined;
  readonly tools: ToolTable;
  /** In place of `tools` while a plan is made. */
  readonly planning: ToolTable | undefined;
  readonly clock: Clock;
  readonly redact: Redactor;
}

export interface Watchers {
  onEvent(recorded: SealedEvent): void;
  onLive(update: LiveUpdate): void;
}

export interface OpenRunOptions {
  readonly adapters: Adapters;
  readonly watchers: Watchers;
  readonly lease: Lease;
  readonly state: RunState;
  readonly head: TraceHead;
}

/** A class for its getters: rooms read them many times a step, and an object literal with getters is slow to read. */
export class OpenRun implements CompletionPorts {
  readonly runId: RunId;
  readonly provider: Provider;
  readonly sandbox: Sandbox | undefined;
  readonly approver: Approver | undefined;
  readonly responder: Responder | undefined;
  readonly planGate: PlanGate | undefined;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly redact: Redactor;
  readonly scopes: Scopes;
  /** Why the log can no longer be written, once it cannot. */
  failure: { readonly error: unknown } | undefined;
  readonly #log: Recorder;
  readonly #writer: EventWriter;
  readonly #keeper: LeaseKeeper;
  readonly #store: Store;
  readonly #watchers: Watchers;
  readonly #tools: ToolTable;
  readonly #planning: ToolTable | undefined;
  #isClosed = false;

  constructor({ adapters, watchers, lease, state, head }: OpenRunOptions) {
    const { store, clock, redact } = adapters;
    this.runId = state.id;
    this.provider = adapters.provider;
    this.sandbox = adapters.sandbox;
    this.approver = adapters.approver;
    this.responder = adapters.responder;
    this.planGate = adapters.planGate;
    this.inbox = inboxOf(store, state.id, redact);
    this.clock = clock;
    this.redact = redact;
    this.scopes = openScopes(clock);
    this.#store = store;
    this.#watchers = watchers;
    this.#tools = adapters.tools;
    this.#planning = adapters.planning;
    this.#keeper = keepLease(store, lease, state.id, clock, (error) => this.#fail(error));
    this.#writer = eventWriter({
      store,
      lease,
      runId: state.id,
      head: head.seq,
      onFailure: (error) => this.#fail(error),
      onDurable: (batch) => this.#tell(batch),
    });
    const isClosed = () => this.#isClosed || this.failure !== undefined;
    this.#log = new Recorder({ state, head, clock, redact, writer: this.#writer, isClosed });
  }

  get state(): RunState {
    return this.#log.state;
  }

  get next(): Next {
    return this.#log.next;
  }

  get step(): number {
    return this.#log.state.step.number;
  }

  get finished(): number {
    return this.#log.state.step.finished;
  }

  get isPlanning(): boolean {
    return this.#log.state.marks.isPlanning;
  }

  get tools(): ToolTable {
    return this.#planning && this.isPlanning ? this.#planning : this.#tools;
  }

  get contract(): TaskContract {
    return factsOf(this.#log.state).contract;
  }

  get policy(): PolicyData {
    const { policy } = factsOf(this.#log.state).driver;
    return this.isPlanning ? whilePlanning(policy) : policy;
  }

  get startedAt(): number {
    return factsOf(this.#log.state).startedAt;
  }

  get promptChars(): number {
    return promptChars(this.#log.state);
  }

  get failures(): number {
    return this.#log.state.step.failures;
  }

  record(...events: readonly NewEvent[]): void {
    this.#log.record(events);
  }

  durable(): Promise<void> {
    return this.failure ? Promise.reject(this.failure.error) : this.#writer.durable(this.#log.state.seq);
  }

  paid(): Promise<void> {
    return this.#writer.durable(this.#log.state.step.paid[0]);
  }

  live(update: LiveUpdate): void {
    this.#watchers.onLive("text" in update ? { ...update, text: this.redact.text(update.text) } : update);
  }

  isKept(path: string): boolean {
    return findKept(this.#log.state.files, path) !== undefined;
  }

  kept(path: string): Promise<Uint8Array | null | undefined> {
    return bytesOf(this.#store, findKept(this.#log.state.files, path));
  }

  async keepBlob(bytes: Uint8Array): Promise<void> {
    await this.#store.blobs.put(bytes);
  }

  cancel(reason: unknown): void {
    const { status, marks, step } = this.#log.state;
    if (status.type !== "running" || marks.cancelled) return;
    this.record({ type: "cancel.requested", step: step.number, content: { reason: wordsOf(reason) } });
    this.scopes.stopAll("cancelled", reason);
  }

  close(): void {
    this.#isClosed = true;
    this.#keeper.stop();
    this.scopes.stopAll("cancelled");
    this.scopes.close();
  }

  #fail(error: unknown): void {
    this.failure ??= { error };
    this.scopes.stopAll("store-failed", error);
  }

  #tell(batch: readonly SealedEvent[]): void {
    this.#keeper.renewed();
    for (const recorded of batch) this.#watchers.onEvent(recorded);
  }
}

/** A reason in words; `null` for the platform's own, which says nothing. */
function wordsOf(reason: unknown): string | null {
  if (typeof reason === "string") return reason;
  return reason instanceof Error && reason.name !== "AbortError" ? reason.message : null;
}

async function bytesOf(store: Store, kept: KeptFile | undefined): Promise<Uint8Array | null | undefined> {
  if (!kept) return undefined;
  if (kept.state === "absent") return null;
  if (kept.text !== null) return new TextEncoder().encode(kept.text);
  return kept.digest === null || kept.state === "unkept" ? undefined : store.blobs.get(kept.digest);
}
