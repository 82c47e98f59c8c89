// One child process, started and listened to. Two things Node reports apart are kept apart: the child's exit, and the end
// of its output, which a process that it left behind can put off for ever.
import { type ChildProcess, spawn } from "node:child_process";
import { spawnFailure, unavailable } from "./failures.js";
import type { OnBytes, OutputPipes } from "./fifo/output-pipes.js";
import { inheritedDescriptors, withCover } from "./inherited-descriptors.js";
import type { Launch } from "./launch.js";

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Child {
  readonly pid: number;
  readonly hasExited: boolean;
  readonly exited: Promise<Exit>;
  /** Settles when it has exited, and nobody can write to either stream or tell a status any more. */
  readonly closed: Promise<void>;
  /** To be called in the tick in which the child was started, or output is lost. What is given is good until they return. */
  listen(onStdout: OnBytes, onStderr: OnBytes): void;
  /** Lets go of streams that others may still hold open. */
  release(): void;
}

/** Rejects with `SandboxError` when nothing was started. */
export async function startChild(
  launch: Launch,
  pipes: OutputPipes,
  stdin: string | Uint8Array | undefined,
): Promise<Child> {
  const { wrapper } = launch;
  const child = spawned(launch, pipes, stdin !== undefined);
  const failure = new Promise<unknown>((resolve) => child.on("error", resolve));
  pipes.started(child);
  wrapper?.started(child);
  if (child.pid === undefined) throw failed(launch, await failure);
  // A program may end without reading; what is left over then is nobody's loss. What was read before another stream broke
  // is kept, and its end is told by `closed`.
  child.stdin?.on("error", () => {}).end(stdin);

  let hasExited = false;
  child.once("exit", () => {
    hasExited = true;
  });
  const exited = new Promise<Exit>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  return {
    pid: child.pid,
    get hasExited() {
      return hasExited;
    },
    exited,
    closed: Promise.all([exited, pipes.closed, wrapper?.told]).then(() => {}),
    listen: pipes.listen,
    release() {
      child.stdin?.destroy();
      pipes.release();
      wrapper?.release();
      // Only a child that the kernel does not let die is still there; it must not keep this process alive.
      if (!hasExited) child.unref();
    },
  };
}

function spawned(launch: Launch, pipes: OutputPipes, hasInput: boolean): ChildProcess {
  const { stdio: beyond = [], user } = launch.wrapper ?? {};
  const options = {
    ...{ argv0: launch.name, cwd: launch.cwd, env: launch.env, ...user, shell: false, windowsHide: true },
    // A session of its own: no terminal to ask or to write to, and a group that is the command's alone. On Windows it
    // would mean a console window instead.
    detached: process.platform !== "win32",
  };
  const streams = [hasInput ? "pipe" : "ignore", ...pipes.stdio, ...beyond] as const;
  try {
    return withCover(streams, inheritedDescriptors(), (stdio) =>
      spawn(launch.file, launch.arguments, { ...options, stdio }),
    );
  } catch (error) {
    throw failed(launch, error);
  }
}

/** What the system says of the file, not of the process, when it is the file of what sets the limits. */
const ofTheFile = new Set(["ENOENT", "EACCES", "ENOEXEC"]);

function failed(launch: Launch, error: unknown): Error {
  const code = (error as { code?: string } | null)?.code ?? "";
  const isInFront = launch.wrapper !== undefined || (launch.limiterName !== undefined && ofTheFile.has(code));
  const isSearched = launch.file === launch.name && !/[\\/]/.test(launch.name);
  if (code === "ENOENT" && isSearched && !isInFront) return unavailable(launch.argv, error);
  return spawnFailure(launch.argv, error, isInFront);
}
