// Whose something is that may outlive its process, told by its name: a folder of ours, or a command's mark. A process that was killed
// cannot see to its own; the next one does, and every doubt counts as alive: of other hosts, and of processes in another
// container, nothing is known. Pids are used again, so the time of the start is compared as well.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { sha256 } from "@harness/spec";
import type { ProcessTable } from "../process-rows.js";
import { processTable } from "../process-table.js";

export interface Owner {
  readonly host: string;
  /** Another one on the same host: the machine was started anew, and nothing of before lives. */
  readonly boot: string;
  /** Numbers of processes mean something only among those that share it. */
  readonly space: string;
  readonly pid: number;
  readonly started: string;
}

// Short, because sockets that a command makes have paths of about 100 characters at most.
const shape = /^w-([0-9a-z]{5})([0-9a-z]{5})([0-9a-z]{5})([0-9a-z]{5})-([1-9]\d*)-[A-Za-z0-9]{6}$/;
const unknown = "00000";

/** What the names of folders of this process begin with; six letters or digits are to follow. */
export function namePrefix({ host, boot, space, started, pid }: Owner): string {
  return `w-${host}${boot}${space}${started}-${pid}-`;
}

/** Whose the folder called `name` is; `undefined` when it is no working folder. */
export function ownerOf(name: string): Owner | undefined {
  const [, host, boot, space, started, pid] = shape.exec(name) ?? [];
  if (!host || !boot || !space || !started) return undefined;
  return { host, boot, space, started, pid: Number(pid) };
}

/** This process. */
export function thisOwner(table: ProcessTable | undefined = processTable()): Owner {
  return {
    host: token(`${hostname()} ${read(() => readFileSync("/etc/machine-id", "latin1"))}`),
    boot: token(read(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"))),
    space: token(read(() => readlinkSync("/proc/self/ns/pid"))),
    pid: process.pid,
    started: token(table?.row(process.pid)?.startedAt),
  };
}

/** Whether `owner` is certainly gone, as `self` sees it. */
export function isGone(owner: Owner, self: Owner, table: ProcessTable | undefined = processTable()): boolean {
  if (owner.host !== self.host) return false;
  if (owner.boot !== self.boot) return owner.boot !== unknown && self.boot !== unknown;
  if (owner.space !== self.space) return false;
  const signal = reachable(owner.pid);
  if (signal !== "reached") return signal === "nobody";
  // A table that does not show this process proves nothing about others.
  if (self.started === unknown || owner.started === unknown) return false;
  return token(table?.row(owner.pid)?.startedAt) !== owner.started;
}

function reachable(pid: number): "reached" | "nobody" | "another's" {
  try {
    process.kill(pid, 0);
    return "reached";
  } catch (error) {
    return (error as { code?: unknown }).code === "ESRCH" ? "nobody" : "another's";
  }
}

function token(text: string | undefined): string {
  if (text === undefined) return unknown;
  return BigInt(`0x${sha256(text.trim()).slice(0, 15)}`)
    .toString(36)
    .slice(-5)
    .padStart(5, "0");
}

function read(look: () => string): string | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
