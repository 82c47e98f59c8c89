// What the tools room needs from the run that drives it. The run hands itself in; rooms never reach back.
import type {
  Approver,
  Clock,
  LiveUpdate,
  NewEvent,
  PlanGate,
  PolicyData,
  Redactor,
  Responder,
  RunId,
  Sandbox,
  TaskContract,
} from "@harness/spec";
import type { Inbox } from "../boundary/inbox.js";
import type { Scopes } from "../time/scope.js";
import type { ToolTable } from "./tool-table.js";

export interface ToolPorts {
  readonly runId: RunId;
  readonly step: number;
  /** Steps finished. */
  readonly finished: number;
  readonly contract: TaskContract;
  /** The policy in force, with remembered rules, and with the plan gate until a plan is approved. */
  readonly policy: PolicyData;
  /** No plan is approved yet, and the contract wants one first. */
  readonly isPlanning: boolean;
  readonly tools: ToolTable;
  readonly sandbox: Sandbox | undefined;
  readonly approver: Approver | undefined;
  readonly responder: Responder | undefined;
  readonly planGate: PlanGate | undefined;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly redact: Redactor;
  readonly scopes: Scopes;
  /** Changes the state at once, and is durable soon: a failure to make it so ends the run. */
  record(...events: readonly NewEvent[]): void;
  /** Resolves when everything recorded so far is durable. */
  durable(): Promise<void>;
  live(update: LiveUpdate): void;
  /** Paths whose first state is kept already. */
  isKept(path: string): boolean;
  /** What was there before, `undefined` if it was not kept. */
  kept(path: string): Promise<Uint8Array | null | undefined>;
  keepBlob(bytes: Uint8Array): Promise<void>;
}
