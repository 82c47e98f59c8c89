// What stands around a step: gates, context, memory, commands, children, messages and MCP servers.
import type { CallId, Digest, MessageId, RunId } from "../ids.js";
import type { RunOutcome } from "../outcome.js";
import type { Backend, Cap, Enforcement, ExecMode, SandboxLimits } from "../sandbox.js";
import type { Event } from "./envelope.js";

export type GateStarted = Event<"gate.started", { readonly attempt: number }>;
export type GateFinished = Event<
  "gate.finished",
  {
    readonly attempt: number;
    /** `errored`: it could not run, which says nothing of the work. */
    readonly result: "passed" | "failed" | "errored";
    readonly exitCode: number | null;
    /** Whether the model may be shown `output`. */
    readonly reveal: boolean;
  },
  { readonly detail: string; readonly output: string | null }
>;
/** The policy lets the agent change what judges it. */
export type GateUnprotected = Event<"gate.unprotected", { readonly paths: readonly string[] }>;

export type ContextAssembled = Event<
  "context.assembled",
  { readonly messages: number; readonly carried: number; readonly shortened: number; readonly tokens: number }
>;
export type ContextCompacted = Event<
  "context.compacted",
  { readonly through: CallId; readonly before: number; readonly after: number },
  { readonly summary: string }
>;

export type MemoryWritten = Event<
  "memory.written",
  { readonly call: CallId; readonly scope: string; readonly evicted: number },
  { readonly key: string; readonly text: string }
>;
export type MemoryForgotten = Event<
  "memory.forgotten",
  { readonly call: CallId; readonly scope: string },
  { readonly key: string }
>;

/** One command. `owner` is the call that runs it, or `gate`. */
export type SandboxStarted = Event<
  "sandbox.started",
  {
    readonly owner: CallId | "gate";
    readonly backend: Backend;
    readonly enforces: Enforcement;
    readonly mode: ExecMode;
    readonly egress: "deny" | "allow";
    readonly argv: readonly string[];
    /** What it was asked to hold the command to; `enforces` says which of it is real. */
    readonly limits?: SandboxLimits;
  }
>;
export type SandboxCapHit = Event<"sandbox.cap-hit", { readonly owner: CallId | "gate"; readonly cap: Cap }>;
export type SandboxDialed = Event<
  "sandbox.dialed",
  { readonly owner: CallId | "gate"; readonly target: string; readonly allowed: boolean }
>;
export type SandboxFinished = Event<
  "sandbox.finished",
  {
    readonly owner: CallId | "gate";
    readonly backend: Backend;
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly stopped: "timeout" | "cancelled" | null;
    /** Protected paths that the command made, removed again. Absent for none. */
    readonly undone?: readonly string[];
    /** What could not be held for it, a sentence each. Absent for none. */
    readonly warnings?: readonly string[];
  }
>;

/** `handle` is the id of the call that started it. */
export type HandleStarted = Event<
  "handle.started",
  { readonly handle: CallId; readonly backend: Backend; readonly argv: readonly string[] }
>;
export type HandleRead = Event<
  "handle.read",
  { readonly handle: CallId; readonly call: CallId; readonly skipped: number },
  { readonly text: string }
>;
/** `orphaned`: its driver died; it is never signalled by a number that may be somebody else's now. */
export type HandleEnded = Event<
  "handle.ended",
  { readonly handle: CallId; readonly how: "exited" | "killed" | "orphaned"; readonly exitCode: number | null },
  { readonly text: string }
>;

export type ChildSpawned = Event<
  "child.spawned",
  { readonly child: RunId; readonly call: CallId; readonly address: string | null; readonly detached: boolean },
  { readonly goal: string }
>;
export type ChildRefused = Event<
  "child.refused",
  { readonly call: CallId; readonly cap: "agents" | "depth" | "budget" }
>;
export type ChildCollected = Event<
  "child.collected",
  { readonly child: RunId; readonly outcome: RunOutcome["type"]; readonly steps: number; readonly tokens: number },
  { readonly text: string }
>;
export type MessageSent = Event<
  "message.sent",
  { readonly message: MessageId; readonly to: RunId },
  { readonly text: string }
>;
export type MessageRead = Event<
  "message.read",
  { readonly message: MessageId; readonly from: RunId; readonly call: CallId },
  { readonly text: string }
>;

export type McpConnected = Event<
  "mcp.connected",
  { readonly server: string; readonly protocol: string; readonly version: string | null }
>;
export type McpListed = Event<
  "mcp.listed",
  { readonly server: string; readonly tools: readonly string[]; readonly digest: Digest }
>;
export type McpFailed = Event<
  "mcp.failed",
  { readonly server: string; readonly phase: "connect" | "list" | "call" | "close" },
  { readonly message: string }
>;
export type McpClosed = Event<"mcp.closed", { readonly server: string }>;

export type SurroundingEvent =
  | GateStarted
  | GateFinished
  | GateUnprotected
  | ContextAssembled
  | ContextCompacted
  | MemoryWritten
  | MemoryForgotten
  | SandboxStarted
  | SandboxCapHit
  | SandboxDialed
  | SandboxFinished
  | HandleStarted
  | HandleRead
  | HandleEnded
  | ChildSpawned
  | ChildRefused
  | ChildCollected
  | MessageSent
  | MessageRead
  | McpConnected
  | McpListed
  | McpFailed
  | McpClosed;
