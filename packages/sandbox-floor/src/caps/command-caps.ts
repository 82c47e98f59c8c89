// One command's caps, from before it starts until nothing of it is left: what is set in front of it, what is looked at while
// it runs, and what its end says. Commands without such caps have none of this.
import { availableParallelism } from "node:os";
import type { Cap, SandboxCommand, SandboxError } from "@harness/spec";
import type { Child, Exit } from "../child.js";
import type { Launch } from "../launch.js";
import type { ProcessTree } from "../process-tree.js";
import type { CapMeans } from "./cap-means.js";
import type { WatchedCommand } from "./cap-watch.js";
import { capOfExit, type ExitEvidence } from "./exit-cap.js";
import { hasNewFileAt } from "./folder-walk.js";
import { limiterWords } from "./limiter-words.js";
import type { TempFolder } from "./temp-folder.js";
import { wrapperProcesses } from "./wrapper-processes.js";

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
  /** The temporary folder to be held to a cap. */
  readonly temp: Pick<TempFolder, "path" | "remove"> | undefined;
  readonly means: CapMeans;
}

/** To be called just before the command is started. `undefined` for one that has no caps but time and output, and no limiter. */
export function commandCaps({ command, launch, temp, means }: CappedCommand): CommandCaps | undefined {
  const { limits = {} } = command;
  const { argv, program, mark, rlimits, limiterName, wrapper } = launch;
  if (!hasCaps(limits) && limiterName === undefined) return undefined;
  const words = limiterName === undefined ? undefined : limiterWords({ argv, program, limiterName });
  let [seenCpuMs, seenAt] = [0, performance.now()];
  const told = (cpuMs: number) => {
    [seenCpuMs, seenAt] = [cpuMs, performance.now()];
  };
  const folders = new Set([command.cwd, temp?.path, command.workspace]);
  const evidence = {
    ...evidenceIn([...folders]),
    seenCpuMs: () => seenCpuMs,
    unseenMs: () => performance.now() - seenAt,
  };

  return {
    watch(child, tree, onBreach) {
      if (!hasCaps(limits)) return () => {};
      const nameOf = (pid: number) => means.source?.name(pid);
      const inFront: WatchedCommand["inFront"] = (members) =>
        wrapper ? wrapperProcesses(members, { status: wrapper.status(), enclosure: tree.enclosure, nameOf }) : 0;
      const common = { root: child, mark, limits, temp: temp?.path, learn: tree.learn };
      const off = means.watch.add({ ...common, inFront, told, onBreach });
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
function evidenceIn(folders: readonly (string | undefined)[]): Omit<ExitEvidence, "seenCpuMs" | "unseenMs"> {
  const startedAt = performance.now();
  return {
    mostCpuMs: () => (performance.now() - startedAt) * availableParallelism(),
    hasFileAt(bytes) {
      const ms = performance.now() - startedAt + slackMs;
      return folders.some((folder) => folder !== undefined && hasNewFileAt(folder, bytes, ms));
    },
  };
}
