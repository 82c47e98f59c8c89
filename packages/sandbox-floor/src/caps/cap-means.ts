// By what this machine can hold a command to its caps: the kernel's limits, set by a program in front, and a look at the
// process table. Both are the process's, shared by all its floors, and nothing of them is there before it is needed.
import { existsSync } from "node:fs";
import type { Enforcement, SandboxLimits } from "@harness/spec";
import { type CapWatch, capWatch } from "./cap-watch.js";
import { type Limiter, type LimiterPrograms, limiterPrograms, openLimiter } from "./limiter.js";
import { type UsageSource, usageSource } from "./proc-usage.js";

export interface CapMeans {
  readonly enforces: Pick<Enforcement, "cpu" | "memory" | "processes" | "openFiles" | "fileSize" | "temp">;
  readonly watch: CapWatch;
  readonly source: UsageSource | undefined;
  /**
   * `undefined` when `limits` need none, or there is none here. A command that `isWrapped` always needs one: it turns core files
   * off, and tells one that could not be executed from one that failed. Rejects when what there is does not work.
   */
  limiterFor(limits: SandboxLimits | undefined, isWrapped?: boolean): Promise<Limiter> | undefined;
}

export interface Machine {
  readonly platform: string;
  readonly hasProc: boolean;
  readonly programs: LimiterPrograms | undefined;
}

let shared: CapMeans | undefined;

/** Those of this process. */
export function processCapMeans(): CapMeans {
  const { platform } = process;
  const hasProc = platform === "linux" && existsSync("/proc/self/stat");
  shared ??= capMeansOf({ platform, hasProc, programs: limiterPrograms(platform) });
  return shared;
}

export function capMeansOf({ platform, hasProc, programs }: Machine): CapMeans {
  const source = hasProc ? usageSource() : undefined;
  const hasLimits = programs !== undefined;
  let limiter: Promise<Limiter> | undefined;

  function opened(known: LimiterPrograms): Promise<Limiter> {
    limiter ??= openLimiter(known).catch((error) => {
      // It may have been the moment: the next command asks again.
      limiter = undefined;
      throw error;
    });
    return limiter;
  }

  return {
    source,
    enforces: {
      cpu: hasProc ? "tree" : hasLimits ? "process" : "none",
      memory: hasProc ? "poll" : "none",
      processes: hasProc,
      openFiles: hasLimits,
      fileSize: hasLimits,
      temp: platform !== "win32",
    },
    watch: capWatch({ source }),
    limiterFor: (limits, isWrapped = false) =>
      programs && (isWrapped || needsLimiter(limits)) ? opened(programs) : undefined,
  };
}

function needsLimiter({ maxCpuMs, maxOpenFiles, maxFileBytes }: SandboxLimits = {}): boolean {
  return [maxCpuMs, maxOpenFiles, maxFileBytes].some((cap) => cap !== undefined && Number.isFinite(cap));
}
