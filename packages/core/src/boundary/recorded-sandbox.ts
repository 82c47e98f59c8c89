// The one door for commands: whoever runs one, a call or the gate, runs it through here, so that the trace has it and it ends
// with what asked for it.
import type { CallId, NewEvent, Sandbox, SandboxCommand } from "@harness/spec";
import type { Scope } from "../time/scope.js";

export interface RecordingPorts {
  readonly step: number;
  record(...events: readonly NewEvent[]): void;
}

/** The sandbox with the trace on it, ended with its scope. A command has a deadline of its own, so the call's waits for it. */
export function recordedSandbox(
  ports: RecordingPorts,
  sandbox: Sandbox,
  owner: CallId | "gate",
  scope: Scope,
): Sandbox {
  const { step } = ports;
  const bounded = (command: SandboxCommand): SandboxCommand => ({
    ...command,
    signal: command.signal ? AbortSignal.any([command.signal, scope.signal]) : scope.signal,
  });
  const started = ({ argv, mode = "workspace-write", egress = "deny" }: SandboxCommand) => {
    const { backend, enforces } = sandbox;
    ports.record({ type: "sandbox.started", step, owner, backend, enforces, mode, egress, argv });
  };
  return {
    spec: 1,
    backend: sandbox.backend,
    enforces: sandbox.enforces,
    async run(command) {
      started(command);
      const resume = scope.hold();
      try {
        const outcome = await sandbox.run(bounded(command));
        const { backend, exitCode, signal, stopped, capHit } = outcome;
        if (capHit) ports.record({ type: "sandbox.cap-hit", step, owner, cap: capHit });
        ports.record({ type: "sandbox.finished", step, owner, backend, exitCode, signal, stopped });
        return outcome;
      } finally {
        resume();
      }
    },
    spawn(command) {
      started(command);
      return sandbox.spawn(bounded(command));
    },
  };
}
