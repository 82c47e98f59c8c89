// Caps on what all processes of a command use together. Each check is made for one command and asked at every look; it
// never says "over" of a command that is not.
import type { ProcessUsage, UsageSource } from "./proc-usage.js";

/** Whether a command is over a cap, by its processes as they are now. */
export type Check = (members: readonly ProcessUsage[]) => boolean;

/** `inFront` tells how many of those that are there do not count. */
export function processCheck(
  maxProcesses: number,
  inFront: (members: readonly ProcessUsage[]) => number = () => 0,
): Check {
  // To ask is dearer than to count.
  return (members) => members.length > maxProcesses && members.length - inFront(members) > maxProcesses;
}

/**
 * Resident memory. The plain sum counts a page as often as there are processes that have it, so for more than one process a
 * sum over the cap is only the reason to look closer, which is dear: what they share of their own counts once, and of
 * programs and libraries, which strangers share as well, those of the process that has most.
 */
export function memoryCheck(maxBytes: number, source: UsageSource): Check {
  return (members) => {
    if (sum(members, ({ residentBytes }) => residentBytes) <= maxBytes) return false;
    if (members.length === 1) return true;
    const details = members.map(
      ({ pid, residentBytes }) => source.memory(pid) ?? { ownBytes: residentBytes, fileBytes: 0 },
    );
    const fileBytes = Math.max(...details.map((detail) => detail.fileBytes));
    return sum(details, ({ ownBytes }) => ownBytes) + fileBytes > maxBytes;
  };
}

/**
 * CPU time. What a process has used moves to its parent when that waits for it, and to nobody when the parent does not; so
 * two sums are kept, neither of which can be too large, and the larger one counts. `told` is told of it at every look.
 */
export function cpuCheck(maxCpuMs: number, told: (cpuMs: number) => void): Check {
  let running: ReadonlyMap<string, number> = new Map();
  let endedMs = 0;
  return (members) => {
    const now = new Map(members.map(({ pid, startedAt, ownCpuMs }) => [`${pid} ${startedAt}`, ownCpuMs]));
    for (const [name, ownCpuMs] of running) if (!now.has(name)) endedMs += ownCpuMs;
    running = now;
    const everSeen = endedMs + sum(members, ({ ownCpuMs }) => ownCpuMs);
    const collected = sum(members, ({ ownCpuMs, childrenCpuMs }) => ownCpuMs + childrenCpuMs);
    const cpuMs = Math.max(collected, everSeen);
    told(cpuMs);
    return cpuMs >= maxCpuMs;
  };
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
