// What a tool is handed. Whatever it does through this is bounded by the call's scope and is in the trace.

import { explain } from "@harness/policy";
import {
  type CallId,
  type FileAct,
  type JudgedAct,
  type LookContext,
  type PolicyData,
  type Redactor,
  type RunId,
  type Sandbox,
  SandboxError,
  sha256,
  type ToolContext,
} from "@harness/spec";
import { recordedSandbox } from "../boundary/recorded-sandbox.js";
import type { Scope } from "../time/scope.js";
import type { CallState } from "./call-state.js";
import type { KeptFile } from "./file-state.js";
import type { ToolPorts } from "./tool-ports.js";

/** What a call may use before it is allowed to do anything. A class, because a literal with getters is slow to make. */
export class CallLook implements LookContext {
  readonly runId: RunId;
  readonly call: CallId;
  readonly workspace: string;

  constructor(
    protected readonly ports: ToolPorts,
    state: CallState,
    protected readonly scope: Scope,
    readonly granted: readonly JudgedAct[] = [],
  ) {
    this.runId = ports.runId;
    this.call = state.id;
    this.workspace = ports.contract.workspace;
  }

  get signal(): AbortSignal {
    return this.scope.signal;
  }

  // Fields, not methods: tools take them out of the context they are given.
  readonly visible = (path: string, options?: { readonly foldsCase?: boolean }): boolean =>
    isVisible(this.ports.policy, path, options);

  readonly kept = (path: string): Promise<Uint8Array | null | undefined> => this.ports.kept(path);
}

/** Plainly allowed. A name that no rule can speak of is not. */
function isVisible(policy: PolicyData, target: string, options?: { readonly foldsCase?: boolean }): boolean {
  const act: FileAct = { type: "read", target, ...(options?.foldsCase ? { foldsCase: true } : {}) };
  try {
    return explain(policy, act).effect === "allow";
  } catch {
    return false;
  }
}

/** What a call may use once the boundary has been passed. */
export class CallContext extends CallLook implements ToolContext {
  readonly id: string;
  readonly execTimeoutMs: number;
  readonly env: readonly string[];
  #sandbox: Sandbox | undefined;

  constructor(ports: ToolPorts, state: CallState, scope: Scope, granted: readonly JudgedAct[]) {
    super(ports, state, scope, granted);
    const { limits, env } = ports.contract;
    this.id = state.request;
    this.execTimeoutMs = limits.execTimeoutMs;
    this.env = env;
  }

  get sandbox(): Sandbox {
    const { call: owner, scope, ports } = this;
    const { caps } = ports.contract;
    this.#sandbox ??= recordedSandbox(ports, ports.sandbox ?? noSandbox, { owner, scope, caps });
    return this.#sandbox;
  }

  readonly keep = (path: string, bytes: Uint8Array | null): Promise<void> => keep(this.ports, this.call, path, bytes);

  readonly progress = (text: string): void =>
    this.ports.live({ type: "tool-progress", step: this.ports.step, call: this.call, text });
}

async function keep(ports: ToolPorts, call: CallId, path: string, bytes: Uint8Array | null): Promise<void> {
  // Whoever comes second waits for the first: both are about to change the file.
  if (ports.isKept(path)) return ports.durable();
  const { state, text } = keepable(ports.redact, bytes);
  if (state === "binary" && bytes) await ports.keepBlob(bytes);
  ports.record({
    type: "file.kept",
    step: ports.step,
    call,
    path,
    state,
    digest: bytes === null ? null : sha256(bytes),
    bytes: bytes?.length ?? 0,
    content: { text },
  });
  await ports.durable();
}

function keepable(redact: Redactor, bytes: Uint8Array | null): Pick<KeptFile, "state" | "text"> {
  if (bytes === null) return { state: "absent", text: null };
  const text = decode(bytes);
  // Secrets are ASCII: read byte by byte, a binary shows them as a text would.
  const readable = text ?? Buffer.from(bytes).toString("latin1");
  if (redact.text(readable) !== readable) return { state: "unkept", text: null };
  return { state: text === null ? "binary" : "text", text };
}

/** Text only where it gives the same bytes back: undo must not change what it restores. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const nothing = {
  writes: false,
  reads: false,
  metadata: false,
  protectedPaths: false,
  unixSockets: false,
  otherProcesses: false,
  kernel: false,
  privateTemp: false,
  egress: "none",
  wall: false,
  output: false,
  cpu: "none",
  memory: "none",
} as const;

/** Stands where no sandbox was given: nothing runs. */
const noSandbox: Sandbox = {
  spec: 1,
  backend: "none",
  enforces: { ...nothing, processes: false, openFiles: false, fileSize: false, temp: false, treeKill: "none" },
  run: async () => refuseToRun(),
  spawn: async () => refuseToRun(),
};

function refuseToRun(): never {
  throw new SandboxError(
    "requirement-unmet",
    "No command can run: this run was given no sandbox. Pass one as the option `sandbox`.",
  );
}
