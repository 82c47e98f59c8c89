// A process table for tests: rows that a test writes, and counts of what was looked at.
import type { MemoryDetail, ProcessUsage, UsageSource } from "./proc-usage.js";

export interface TestProcess extends Partial<ProcessUsage> {
  readonly pid: number;
  readonly name?: string;
  readonly marks?: readonly string[] | undefined;
  readonly memory?: MemoryDetail;
  readonly openFiles?: number;
  readonly files?: readonly string[];
}

export interface TestSource extends UsageSource {
  processes: readonly TestProcess[];
  /** Pids whose row was read since the last look at this. */
  takeRead(): readonly number[];
}

export function testUsage({ pid, ...rest }: TestProcess): ProcessUsage {
  return {
    ...{ pid, parent: 1, group: pid, session: pid, startedAt: String(pid) },
    ...{ ownCpuMs: 0, childrenCpuMs: 0, residentBytes: 0 },
    ...rest,
  };
}

export function testSource(processes: readonly TestProcess[] = []): TestSource {
  let read: number[] = [];
  const source: TestSource = {
    processes,
    takeRead() {
      const pids = read;
      read = [];
      return pids;
    },
    pids: () => source.processes.map(({ pid }) => pid),
    usage(pid) {
      read.push(pid);
      const found = byPid(pid);
      return found && testUsage(found);
    },
    name: (pid) => byPid(pid)?.name,
    marks: (pid) => {
      const found = byPid(pid);
      return found && "marks" in found ? found.marks : [];
    },
    memory: (pid) => byPid(pid)?.memory,
    openFiles: (pid) => byPid(pid)?.openFiles ?? 0,
    filesOf: (pid) => byPid(pid)?.files ?? [],
  };
  const byPid = (pid: number) => source.processes.find((process) => process.pid === pid);
  return source;
}
