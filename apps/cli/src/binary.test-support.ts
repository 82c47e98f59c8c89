// The binary as it is built, in processes of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Desk } from "./desk.test-support.js";

export const binary = fileURLToPath(new URL("../dist/index.js", import.meta.url));

export function environment(at: Desk) {
  return { ...process.env, NO_COLOR: "1", HARNESS_HOME: join(at.folder, "home") };
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Starts the binary. `printed` resolves once it has written a text, and rejects when it ends without. */
export function started(at: Desk, ...args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [binary, ...args], { cwd: at.folder, env: environment(at) });
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, output })));
  const printed = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.includes(text) && resolve();
      listeners.add(look);
      look();
      ended.then(() => reject(new Error(`It ended without ${JSON.stringify(text)}:\n${output}`)));
    });
  return { child, ended, printed };
}
