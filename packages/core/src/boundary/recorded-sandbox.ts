// The one door for commands: whoever runs one, a call or the gate, runs it through here, so that the trace has it and it ends
// with what asked for it.
import type { CallId, Caps, NewEvent, Sandbox, SandboxCommand, SandboxLimits } from "@harness/spec";
import type { Scope } from "../time/scope.js";

export interface RecordingPorts {
  readonly step: number;
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
  const bounded = (command: SandboxCommand): SandboxCommand => ({
    ...command,
    limits: tighter(caps, command.limits),
    signal: command.signal ? AbortSignal.any([command.signal, scope.signal]) : scope.signal,
  });
  const started = ({ argv, mode = "workspace-write", egress = "deny", limits = {} }: SandboxCommand) => {
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
        const { backend, exitCode, signal, stopped, capHit } = outcome;
        if (capHit) ports.record({ type: "sandbox.cap-hit", step, owner, cap: capHit });
        ports.record({ type: "sandbox.finished", step, owner, backend, exitCode, signal, stopped });
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

/** The lower of two limits, and either where only one is set. */
function tighter(first: SandboxLimits, second: SandboxLimits = {}): SandboxLimits {
  const limits: Record<string, number> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    if (value !== undefined) limits[name] = Math.min(value, limits[name] ?? value);
  }
  return limits;
}
