// A command without any sandbox: what a machine refuses to that, it refuses to every command, and nobody's boundary is proven by it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Captured, SandboxCommand } from "@harness/spec";
import type { Attempt } from "./attack.js";

const mostHeld = 2 ** 20;

/** What a command that has ended left behind may hold its pipes open for as long as it likes. */
const mostDrainMs = 1_000;

/** Runs it as this process's user, in a session of its own. Rejects when it cannot be started, or is not to be. */
export async function runPlain({ argv, cwd, env, timeoutMs, signal }: SandboxCommand): Promise<Attempt["outcome"]> {
  signal?.throwIfAborted();
  const [program, ...rest] = argv;
  const child = spawn(program, rest, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const end = () => endGroup(child.pid);
  const late = setTimeout(end, timeoutMs);
  signal?.addEventListener("abort", end, { once: true });
  const closed = once(child, "close");
  closed.catch(() => {});
  try {
    await once(child, "exit");
    await Promise.race([closed, pause(mostDrainMs, undefined, { ref: false })]);
  } finally {
    clearTimeout(late);
    signal?.removeEventListener("abort", end);
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  }
  const { exitCode, signalCode } = child;
  return { exitCode, signal: signalCode, capHit: null, stopped: null, stdout: stdout(), stderr: stderr() };
}

/** Reads `stream` to its end and keeps the beginning. */
function textOf(stream: Readable): () => Captured {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    if (text.length < mostHeld) text += chunk;
  });
  return () => ({ text, elidedBytes: 0 });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
