// A machine whose every part a test can choose. Its sandbox runs nothing; it answers.
import type { Captured, Enforcement, Sandbox, SandboxCommand, SandboxOutcome } from "@harness/spec";
import { fakeClock } from "@harness/testing";
import type { Machine } from "./machine.js";

export function fakeMachine(parts: Partial<Machine> = {}): Machine {
  return {
    node: { version: "v22.1.0", oldest: "20.19.0", program: "/usr/bin/node" },
    system: { platform: "linux", arch: "x64", release: "6.1" },
    out: { write: () => {} },
    env: {},
    clock: fakeClock(),
    storePath: () => "/state/runs.db",
    sandbox: answering(() => ({ stdout: "v22.1.0\n" })),
    rungs: async () => [],
    folder: "/tmp",
    signal: new AbortController().signal,
    ...parts,
  };
}

export interface CommandAnswer {
  readonly exitCode?: number | null;
  readonly stopped?: SandboxOutcome["stopped"];
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Nothing is held but what a command may take of the clock and of memory for its output. */
export const loose: Enforcement = {
  writes: false,
  reads: false,
  egress: "none",
  metadata: false,
  protectedPaths: false,
  unixSockets: false,
  otherProcesses: false,
  kernel: false,
  privateTemp: false,
  wall: true,
  output: true,
  cpu: "none",
  memory: "none",
  processes: false,
  openFiles: false,
  fileSize: false,
  temp: false,
  treeKill: "walk",
};

/** A sandbox in which every command ends as `answer` says, or does not start where that throws. */
export function answering(answer: (command: SandboxCommand) => CommandAnswer | Promise<CommandAnswer>): Sandbox {
  return {
    spec: 1,
    backend: "played",
    enforces: loose,
    async run(command) {
      const { exitCode = 0, stopped = null, stdout = "", stderr = "" } = await answer(command);
      return {
        backend: "played",
        argv: command.argv,
        exitCode,
        signal: exitCode === null ? "SIGKILL" : null,
        capHit: null,
        stopped,
        stdout: captured(stdout),
        stderr: captured(stderr),
        wallMs: 7,
      };
    },
    spawn: () => Promise.reject(new Error("The doctor keeps nothing running.")),
  };
}

function captured(text: string): Captured {
  return { text, elidedBytes: 0 };
}
