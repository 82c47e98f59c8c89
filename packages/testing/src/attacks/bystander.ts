// A process that does nothing and that no command started. It ends when this process does: what it waits for is the end of its
// standard input.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

export interface Bystander extends AsyncDisposable {
  /** As a list of processes shows it, among its arguments. */
  readonly name: string;
  readonly pid: number;
  /** False from its death on, also while nobody has collected it. */
  isAlive(): boolean;
}

/** Starts one. */
export async function bystander(name: string, env: Readonly<Record<string, string>>): Promise<Bystander> {
  const child = spawn("sh", ["-c", "echo up; read -r _; exit 0", name], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", ...env },
  });
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stdin.on("error", () => {});
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  await Promise.race([once(child.stdout, "data"), failed]);
  const { pid = 0 } = child;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  return {
    name,
    pid,
    isAlive: () => !hasEnded() && !isZombie(pid),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}
