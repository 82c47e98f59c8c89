// What a tool is handed. Whatever it does through this is bounded by the call's scope and is in the trace.

import { explain } from "@harness/policy";
import {
  type FileAct,
  type JudgedAct,
  type LookContext,
  type PolicyData,
  type Redactor,
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

/** What a call may use before it is allowed to do anything. */
export function lookContext(
  ports: ToolPorts,
  call: CallState,
  scope: Scope,
  granted: readonly JudgedAct[] = [],
): LookContext {
  const { policy } = ports;
  return {
    runId: ports.runId,
    call: call.id,
    workspace: ports.contract.workspace,
    get signal() {
      return scope.signal;
    },
    granted,
    visible: (path, options) => isVisible(policy, path, options),
    kept: (path) => ports.kept(path),
  };
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
export function toolContext(
  ports: ToolPorts,
  call: CallState,
  scope: Scope,
  granted: readonly JudgedAct[],
): ToolContext {
  let sandbox: Sandbox | undefined;
  const look = lookContext(ports, call, scope, granted);
  const { runId, workspace, visible, kept } = look;
  return {
    runId,
    call: call.id,
    workspace,
    granted,
    visible,
    kept,
    id: call.request,
    execTimeoutMs: ports.contract.limits.execTimeoutMs,
    env: ports.contract.env,
    get signal() {
      return scope.signal;
    },
    get sandbox() {
      sandbox ??= recordedSandbox(ports, ports.sandbox ?? noSandbox, call.id, scope);
      return sandbox;
    },
    keep: (path, bytes) => keep(ports, call, path, bytes),
    progress: (text) => ports.live({ type: "tool-progress", step: ports.step, call: call.id, text }),
  };
}

async function keep(ports: ToolPorts, call: CallState, path: string, bytes: Uint8Array | null): Promise<void> {
  // Whoever comes second waits for the first: both are about to change the file.
  if (ports.isKept(path)) return ports.durable();
  const { state, text } = keepable(ports.redact, bytes);
  if (state === "binary" && bytes) await ports.keepBlob(bytes);
  ports.record({
    type: "file.kept",
    step: ports.step,
    call: call.id,
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
  enforces: { ...nothing, processes: false, openFiles: false, fileSize: false, treeKill: "none" },
  run: async () => refuseToRun(),
  spawn: async () => refuseToRun(),
};

function refuseToRun(): never {
  throw new SandboxError(
    "requirement-unmet",
    "No command can run: this run was given no sandbox. Pass one as the option `sandbox`.",
  );
}
