// Reads which processes there are. Everything here is synchronous: between a look and the signal that follows it nothing
// of ours may run, or the signal could reach a process that took over a number. Linux has /proc; elsewhere on POSIX `ps`
// is asked, which is dearer and shows no environment (written for macOS, and tried only with Linux's `ps`).
import { execFileSync } from "node:child_process";
import { procTable } from "./proc-table.js";
import type { ProcessRow, ProcessTable } from "./process-rows.js";

/** The table of this machine, `undefined` on Windows. */
export function processTable(platform: string = process.platform): ProcessTable | undefined {
  if (platform === "win32") return undefined;
  return platform === "linux" ? procTable() : psTable();
}

/** The table as `ps` prints it. */
export function psTable(program = "/bin/ps"): ProcessTable {
  const rows = () =>
    printed(program)
      ?.split("\n")
      .flatMap((line) => parsePsLine(line) ?? []);
  return {
    rows,
    isMarked: () => undefined,
    startedSince: () => undefined,
    row: (pid) => rows()?.find((row) => row.pid === pid),
  };
}

function printed(program: string): string | undefined {
  try {
    const columns = "pid=,ppid=,pgid=,stat=,lstart=";
    return execFileSync(program, ["-A", "-o", columns], { encoding: "utf8", env: { LC_ALL: "C" } });
  } catch {
    return undefined;
  }
}

function parsePsLine(line: string): ProcessRow | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)\s*$/.exec(line);
  if (match === null || match[4]?.startsWith("Z")) return undefined;
  const [pid, parent, group] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // macOS prints an address for the session, so the group stands in for it.
  return { pid, parent, group, session: group, startedAt: match[5] ?? "" };
}
