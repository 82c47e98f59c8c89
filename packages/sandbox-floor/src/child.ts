// One child process, started and listened to. Two things Node reports apart are kept apart: the child's exit, and the end
// of its output, which a process that it left behind can put off for ever.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { spawnFailure, unavailable } from "./failures.js";
import type { Launch } from "./launch.js";

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Child {
  readonly pid: number;
  readonly hasExited: boolean;
  readonly exited: Promise<Exit>;
  /** Settles when nobody can write to either stream any more. */
  readonly closed: Promise<void>;
  /** To be called in the tick in which the child was started, or output is lost. */
  listen(onStdout: (bytes: Uint8Array) => void, onStderr: (bytes: Uint8Array) => void): void;
  /** Lets go of streams that others may still hold open. */
  release(): void;
}

/** Rejects with `SandboxError` when nothing was started. */
export async function startChild(launch: Launch, stdin: string | Uint8Array | undefined): Promise<Child> {
  const child = spawned(launch, stdin !== undefined);
  const failure = new Promise<unknown>((resolve) => child.on("error", resolve));
  if (child.pid === undefined) throw failed(launch, await failure);

  const streams = [child.stdin, child.stdout, child.stderr];
  // A program may end without reading; what is left over then is nobody's loss. What was read before another stream broke
  // is kept, and its end is told by `close`.
  for (const stream of streams) stream?.on("error", () => {});
  child.stdin?.end(stdin);

  let hasExited = false;
  child.once("exit", () => {
    hasExited = true;
  });
  return {
    pid: child.pid,
    get hasExited() {
      return hasExited;
    },
    exited: new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal }))),
    closed: new Promise((resolve) => child.once("close", () => resolve())),
    listen(onStdout, onStderr) {
      child.stdout?.on("data", onStdout);
      child.stderr?.on("data", onStderr);
    },
    release() {
      for (const stream of streams) stream?.destroy();
      // Only a child that the kernel does not let die is still there; it must not keep this process alive.
      if (!hasExited) child.unref();
    },
  };
}

function spawned(launch: Launch, hasInput: boolean): ChildProcess {
  try {
    return spawn(launch.file, launch.arguments, {
      argv0: launch.name,
      cwd: launch.cwd,
      env: launch.env,
      stdio: descriptors(hasInput),
      shell: false,
      windowsHide: true,
      // A session of its own: no terminal to ask or to write to, and a group that is the command's alone. On Windows it
      // would mean a console window instead.
      detached: process.platform !== "win32",
    });
  } catch (error) {
    throw failed(launch, error);
  }
}

/** What the command's descriptors 0, 1 and 2 are: the one place to change for another way to capture. */
function descriptors(hasInput: boolean): StdioOptions {
  return [hasInput ? "pipe" : "ignore", "pipe", "pipe"];
}

function failed(launch: Launch, error: unknown): Error {
  const isUnfound = (error as { code?: string } | null)?.code === "ENOENT" && launch.file === launch.name;
  if (isUnfound && !launch.hasWrapper && !/[\\/]/.test(launch.name)) return unavailable(launch.argv, error);
  return spawnFailure(launch.argv, error, launch.hasWrapper);
}
