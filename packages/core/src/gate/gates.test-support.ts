// A sandbox for gates: it starts nothing, and ends as a test says.
import type { Enforcement, Sandbox, SandboxCommand, SandboxOutcome } from "@harness/spec";

/** How a command ends: with an exit code, or in another way. */
export type Ending = number | Partial<SandboxOutcome>;

export interface CheckingSandbox extends Sandbox {
  readonly commands: readonly SandboxCommand[];
}

/** What a double that only plays commands enforces. */
export const playedEnforcement: Enforcement = {
  ...{ writes: false, reads: false, egress: "none", wall: true, output: true, cpu: "none", memory: "none" },
  ...{
    metadata: false,
    protectedPaths: false,
    unixSockets: false,
    otherProcesses: false,
    kernel: false,
    privateTemp: false,
  },
  ...{ processes: false, openFiles: false, fileSize: false, temp: false, treeKill: "walk" },
};

/** Every command ends as `ending` says, which may be asked anew each time, and may throw. */
export function checkingSandbox(
  ending: Ending | ((command: SandboxCommand) => Ending | Promise<Ending>),
): CheckingSandbox {
  const commands: SandboxCommand[] = [];
  return {
    spec: 1,
    backend: "double",
    enforces: playedEnforcement,
    commands,
    async run(command) {
      commands.push(command);
      const end = typeof ending === "function" ? await ending(command) : ending;
      return { ...outcomeOf(command.argv), ...(typeof end === "number" ? { exitCode: end } : end) };
    },
    spawn: async () => {
      throw new Error("Nothing is spawned here.");
    },
  };
}

function outcomeOf(argv: readonly string[]): SandboxOutcome {
  const nothing = { text: "", elidedBytes: 0 };
  return {
    backend: "double",
    argv,
    exitCode: null,
    signal: null,
    capHit: null,
    stopped: null,
    stdout: nothing,
    stderr: nothing,
    wallMs: 0,
  };
}
