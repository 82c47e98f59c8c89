// What starting a command costs without a sandbox: the platform's own spawn, with the output captured.
import { spawn } from "node:child_process";

/** Runs `argv` to its end. Rejects when it cannot be started. */
export function bareSpawn(
  [program, ...rest]: readonly [string, ...string[]],
  cwd: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (bytes) => (output.stdout += bytes));
    child.stderr.on("data", (bytes) => (output.stderr += bytes));
    child.on("error", reject);
    child.on("close", () => resolve(output));
  });
}
