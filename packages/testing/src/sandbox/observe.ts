// How the suite sees that something happened: it waits for the condition itself, and gives up with a sentence. That a
// process is gone is seen at a pipe that only it and its kin hold open, which works across process namespaces, where
// numbers do not.
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { node } from "./payloads.js";
import type { Subject } from "./subject.js";

/** Long enough for a loaded machine; a condition that holds is seen at once. */
const patienceMs = 40_000;

/** Waits until `condition` holds. Throws, saying that `what` did not happen. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Waited ${patienceMs} ms in vain: ${what}.`);
    await pause(5);
  }
}

/** A deadline that `count` starts of a program surely meet on this machine as it is now, in ms. */
export async function enoughFor(count: number, { run }: Subject): Promise<number> {
  const start = performance.now();
  await run(node(""));
  return Math.ceil(1_000 + count * 5 * (performance.now() - start));
}

/** A named pipe, seen from the reading end. */
export interface WatchedPipe extends Disposable {
  /** How many bytes were written to it. */
  written(): number;
  /** True while a process has it open for writing. */
  isHeld(): boolean;
}

/** Opens the named pipe at `path`, which is there. */
export function watchPipe(path: string): WatchedPipe {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = new Uint8Array(64);
  let count = 0;

  function isHeld(): boolean {
    try {
      for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) count += size;
      return false;
    } catch (error) {
      if ((error as { code?: string }).code === "EAGAIN") return true;
      throw error;
    }
  }

  return {
    isHeld,
    written() {
      isHeld();
      return count;
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

export interface Lifeline extends Disposable {
  /** A named pipe. Each process to be watched opens it for writing and writes one byte. */
  readonly path: string;
  /** How many processes have reported. */
  reported(): number;
  /** True while one of them runs. */
  isHeld(): boolean;
}

/** Makes a named pipe in `folder`. */
export function lifeline(folder: string, name = "lifeline"): Lifeline {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  const { written, isHeld, [Symbol.dispose]: close } = watchPipe(path);
  return { path, reported: written, isHeld, [Symbol.dispose]: close };
}

/** Waits until `count` processes have reported. */
export async function alive(line: Lifeline, count: number): Promise<void> {
  await until(`${count} processes reported (${line.reported()} did)`, () => line.reported() >= count);
}

/** Passes when at least `count` processes reported and none of them runs any more. */
export async function allGone(line: Lifeline, count: number): Promise<void> {
  await alive(line, count);
  await until("every process that the command started was gone", () => !line.isHeld());
}
