// The one door for commands: whoever runs one, a call or the gate, runs it through here, so that the trace has it and it ends
// with what asked for it.
import {
  ActRefusedError,
  type CallId,
  type Caps,
  isSatisfiedBy,
  type NewEvent,
  type PolicyData,
  type Sandbox,
  type SandboxCommand,
  type SandboxLimits,
  type SandboxOutcome,
  type TaskContract,
} from "@harness/spec";
import type { Scope } from "../time/scope.js";
import { denialsOf, needsOf } from "./containment.js";

export interface RecordingPorts {
  readonly step: number;
  readonly contract: TaskContract;
  /** In force when the command starts, not when the sandbox was handed out. */
  readonly policy: PolicyData;
  record(...events: readonly NewEvent[]): void;
}

export interface CommandOwner {
  readonly owner: CallId | "gate";
  readonly scope: Scope;
  /** Of the contract: what runs here may set lower ones, never higher. A log of old has a contract without. */
  readonly caps: Caps | undefined;
}

/** The sandbox with the trace on it, ended with its scope. A command has a deadline of its own, so the call's waits for it. */
export function recordedSandbox(
  ports: RecordingPorts,
  sandbox: Sandbox,
  { owner, scope, caps = {} }: CommandOwner,
): Sandbox {
  const { step } = ports;
  const bounded = (command: SandboxCommand) => ({
    ...command,
    ...placesOf(ports, command),
    limits: tighter(caps, command.limits),
    signal: command.signal ? AbortSignal.any([command.signal, scope.signal]) : scope.signal,
  });
  const started = ({ argv, mode, egress, limits }: ReturnType<typeof bounded>) => {
    const { backend, enforces } = sandbox;
    ports.record({ type: "sandbox.started", step, owner, backend, enforces, mode, egress, argv, limits });
  };
  return {
    spec: 1,
    backend: sandbox.backend,
    enforces: sandbox.enforces,
    async run(asked) {
      const command = bounded(asked);
      started(command);
      const resume = scope.hold();
      try {
        const outcome = await sandbox.run(command);
        const { capHit } = outcome;
        if (capHit) ports.record({ type: "sandbox.cap-hit", step, owner, cap: capHit });
        ports.record({ type: "sandbox.finished", step, owner, ...endOf(outcome) });
        return outcome;
      } finally {
        resume();
      }
    },
    spawn(asked) {
      const command = bounded(asked);
      started(command);
      return sandbox.spawn(command);
    },
  };
}

function endOf({ backend, exitCode, signal, stopped, undone = [], warnings = [] }: SandboxOutcome) {
  return {
    ...{ backend, exitCode, signal, stopped },
    ...(undone.length > 0 ? { undone } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** Where a command may write and whether it may dial: as the run may, or less. Throws `ActRefusedError` for one that needs more. */
function placesOf({ contract, policy }: RecordingPorts, { argv, mode, egress }: SandboxCommand) {
  const granted = needsOf(contract, policy);
  if (mode !== undefined && !isSatisfiedBy(mode, granted.mode)) {
    const reason = `it needs the mode ${mode}, and commands of this run have ${granted.mode}`;
    throw new ActRefusedError("exec", argv[0], reason);
  }
  return {
    workspace: granted.workspace,
    mode: mode ?? granted.mode,
    egress: egress === "deny" ? egress : granted.egress,
    isDenied: denialsOf(policy),
  };
}

/** The lower of two limits, and either where only one is set. */
function tighter(first: SandboxLimits, second: SandboxLimits = {}): SandboxLimits {
  const limits: Record<string, number> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    if (value !== undefined) limits[name] = Math.min(value, limits[name] ?? value);
  }
  return limits;
}
