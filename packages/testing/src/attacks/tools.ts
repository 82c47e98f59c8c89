// Which programs an attack can count on: asked inside the sandbox, since what is not there for the command is no sandbox's merit.
import { existsSync } from "node:fs";
import type { Sandbox } from "@harness/spec";

export interface Tools {
  has(name: string): boolean;
  /** By which it is called: a name in PATH may be a script that looks for the real one. */
  readonly python: string;
}

const names = ["mount", "unshare", "nsenter", "strace", "setsid", "mkfifo", "git"];

/** Tried in this order, each by running it. */
const question = `for name in ${names.join(" ")}; do command -v "$name" >/dev/null 2>&1 && echo "HAS $name"; done
for python in python3 /usr/bin/python3 /usr/local/bin/python3; do
  "$python" -c 'import ctypes, sys; print("PYTHON", sys.executable)' 2>/dev/null && break; done; echo ALL-ASKED`;

/** Asks in the workspace `cwd`. Rejects when the sandbox does, or does not run the question to its end. */
export async function findTools(sandbox: Sandbox, cwd: string, signal: AbortSignal | undefined): Promise<Tools> {
  const outcome = await sandbox.run({
    argv: ["sh", "-c", question],
    ...{ cwd, workspace: cwd, timeoutMs: 60_000 },
    ...(signal && { signal }),
  });
  const { text } = outcome.stdout;
  if (!text.endsWith("ALL-ASKED\n"))
    throw new Error(`Commands do not run in it: ${outcome.stderr.text.trim() || text.trim()}`);
  const found = new Set([...text.matchAll(/^HAS (.*)$/gm)].map(([, name]) => name));
  const python = /^PYTHON (\/.*)$/m.exec(text)?.[1] ?? "";
  if (python) found.add("python3");
  return { python, has: (name) => found.has(name) };
}

/** Why something that needs `needs` cannot be tried; `undefined` when it can. */
export function lacking(needs: readonly string[], tools: Tools): string | undefined {
  for (const need of needs) {
    if (need === "linux" || need === "x64") {
      if (process.platform !== need && process.arch !== need)
        return `this machine is not ${need === "x64" ? "an x86-64" : "Linux"}`;
    } else if (need.startsWith("/")) {
      if (!existsSync(need)) return `there is no ${need} here`;
    } else if (!tools.has(need)) {
      return `there is no ${need} for a command here`;
    }
  }
  return undefined;
}
