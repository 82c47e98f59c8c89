// Looks at the commands that have caps which only looking can hold, all of them in one pass, and says when one is over. It
// is the process's, not a floor's: a thousand commands cost one look at a time. Nothing runs while no such command does.
import type { Cap, SandboxLimits } from "@harness/spec";
import type { ProcessRow } from "../process-rows.js";
import { type Census, census, type Watched } from "./census.js";
import { descriptorCheck, fileCheck } from "./file-checks.js";
import type { ProcessUsage, UsageSource } from "./proc-usage.js";
import { tempCheck } from "./temp-check.js";
import { type Check, cpuCheck, memoryCheck, processCheck } from "./tree-checks.js";

export interface WatchedCommand extends Watched {
  readonly limits: SandboxLimits;
  /** Its own temporary folder, when it has one. */
  readonly temp?: string | undefined;
  /** How many of its processes are a wrapper's, and do not count as its own. Default: none. */
  readonly inFront?: (members: readonly ProcessUsage[]) => number;
  /** Told of its processes as they are found. */
  learn(rows: readonly ProcessRow[]): void;
  /** Told at every look, when it has a cap on CPU time, how much of that it has used. */
  told(cpuMs: number): void;
  /** Called once, for the first cap that it is over. */
  onBreach(cap: Cap): void;
}

export interface CapWatch {
  /** To be called when `command` was started. Ends with the returned function, or with the breach. */
  add(command: WatchedCommand): () => void;
}

export interface CapWatchOptions {
  /** `undefined` where processes cannot be looked at: only folders are. */
  readonly source: UsageSource | undefined;
  readonly intervalMs?: number;
}

/** A look may take this part of the time at most; a dear one makes the next one wait. */
const share = 1 / 10;

export function capWatch({ source, intervalMs = 25 }: CapWatchOptions): CapWatch {
  const checks = new Map<WatchedCommand, readonly NamedCheck[]>();
  const people: Census<WatchedCommand> | undefined = source && census(source);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function look(): void {
    const startedAt = performance.now();
    const found = attempt(() => people?.look(new Set(checks.keys())));
    for (const [command, named] of [...checks]) {
      const members = found?.get(command);
      if (members) command.learn(members);
      const over = named.find(({ isOver }) => attempt(() => isOver(members)));
      if (over === undefined) continue;
      remove(command);
      command.onBreach(over.cap);
    }
    const tookMs = performance.now() - startedAt;
    if (timer !== undefined) schedule(Math.max(intervalMs, tookMs / share - tookMs));
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    // What is watched keeps this process alive by itself.
    timer = setTimeout(look, ms).unref();
  }

  function remove(command: WatchedCommand): void {
    if (!checks.delete(command) || checks.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
    people?.forget();
  }

  return {
    add(command) {
      const named = checksFor(command, source);
      if (named.length === 0) return () => {};
      checks.set(command, named);
      people?.expect(command);
      if (timer === undefined) schedule(intervalMs);
      return () => remove(command);
    },
  };
}

interface NamedCheck {
  readonly cap: Cap;
  /** `members` is absent when this look could not be taken. */
  readonly isOver: (members: readonly ProcessUsage[] | undefined) => boolean;
}

function checksFor(
  { limits, temp, told, inFront }: WatchedCommand,
  source: UsageSource | undefined,
): readonly NamedCheck[] {
  const { maxMemoryBytes, maxProcesses, maxCpuMs, maxOpenFiles, maxFileBytes, maxTempBytes } = limits;
  const checks: NamedCheck[] = [];
  const ofTree = (cap: Cap, most: number | undefined, make: (most: number, source: UsageSource) => Check) => {
    if (source === undefined || most === undefined || !Number.isFinite(most)) return;
    const check = make(most, source);
    checks.push({ cap, isOver: (members) => members !== undefined && check(members) });
  };
  // What does the most harm first.
  ofTree("memory", maxMemoryBytes, memoryCheck);
  ofTree("processes", maxProcesses, (most) => processCheck(most, inFront));
  ofTree("cpu", maxCpuMs, (most) => cpuCheck(most, told));
  ofTree("open-files", maxOpenFiles, descriptorCheck);
  ofTree("file-size", maxFileBytes, fileCheck);
  if (temp !== undefined && maxTempBytes !== undefined) {
    checks.push({ cap: "temp", isOver: tempCheck(temp, maxTempBytes) });
  }
  return checks;
}

/** One look that fails proves nothing; the next one may not. */
function attempt<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
