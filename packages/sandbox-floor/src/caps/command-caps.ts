// One command's caps, from before it starts until nothing of it is left: what is set in front of it, what is looked at while
// it runs, and what its end says. Commands without such caps have none of this.
import { availableParallelism } from "node:os";
import type { Cap, SandboxCommand, SandboxError } from "@harness/spec";
import type { Child, Exit } from "../child.js";
import type { Launch } from "../launch.js";
import type { ProcessTree } from "../process-tree.js";
import type { CapMeans } from "./cap-means.js";
import { capOfExit, type ExitEvidence } from "./exit-cap.js";
import { hasNewFileAt } from "./folder-walk.js";
import { limiterWords } from "./limiter-words.js";
import type { TempFolder } from "./temp-folder.js";

export interface CommandCaps {
  /** Looks at the command while it runs; calls `onBreach` for the first cap that it is over. */
  watch(child: Child, tree: ProcessTree, onBreach: (cap: Cap) => void): () => void;
  /** To be given its standard error as it comes. */
  heard(bytes: Uint8Array): void;
  /** Why it never ran, though something was started. */
  failure(exit: Exit): SandboxError | undefined;
  /** The cap by which the kernel ended it. */
  capOf(exit: Exit): Cap | undefined;
  /** Once nothing of it is left. Never rejects. */
  close(): Promise<void>;
}

export interface CappedCommand {
  readonly command: SandboxCommand;
  readonly launch: Launch;
  readonly temp: TempFolder | undefined;
  readonly means: CapMeans;
}

/** To be called just before the command is started. `undefined` for one that has no caps but time and output. */
export function commandCaps({ command, launch, temp, means }: CappedCommand): CommandCaps | undefined {
  const { limits } = command;
  if (limits === undefined || !hasCaps(limits)) return undefined;
  const { argv, program, mark, rlimits, limiterName } = launch;
  const words = limiterName === undefined ? undefined : limiterWords({ argv, program, limiterName });
  let seenCpuMs = 0;
  const told = (cpuMs: number) => {
    seenCpuMs = cpuMs;
  };
  const evidence = { ...evidenceIn([command.cwd, temp?.path]), seenCpuMs: () => seenCpuMs };

  return {
    watch(child, tree, onBreach) {
      const off = means.watch.add({ root: child, mark, limits, temp: temp?.path, learn: tree.learn, told, onBreach });
      child.exited.then(off);
      return off;
    },
    heard: (bytes) => words?.push(bytes),
    failure: (exit) => words?.failure(exit),
    capOf: (exit) => rlimits && capOfExit(exit, rlimits, evidence),
    close: async () => temp?.remove(),
  };
}

function hasCaps(limits: NonNullable<SandboxCommand["limits"]>): boolean {
  const { maxWallMs, maxOutputBytes, ...others } = limits;
  return Object.values(others).some((cap) => cap !== undefined);
}

/** So much behind may the clock be by which the kernel dates files. What is older was there before. */
const slackMs = 20;

/** What the command's time and folders prove, counted from now. */
function evidenceIn(folders: readonly (string | undefined)[]): Omit<ExitEvidence, "seenCpuMs"> {
  const startedAt = performance.now();
  return {
    mostCpuMs: () => (performance.now() - startedAt) * availableParallelism(),
    hasFileAt(bytes) {
      const ms = performance.now() - startedAt + slackMs;
      return folders.some((folder) => folder !== undefined && hasNewFileAt(folder, bytes, ms));
    },
  };
}
