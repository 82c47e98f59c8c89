// The programs that the suite runs. They are Node's own or `sh`, so that they run wherever the suite does, and those that
// stay end when their folder is removed.

import { execFileSync } from "node:child_process";

type Argv = [string, ...string[]];

/** Runs `source` with this Node; `rest` is `process.argv` from 1 on. */
export function node(source: string, ...rest: string[]): Argv {
  return [process.execPath, "-e", source, ...rest];
}

/** Runs `source` with `sh`; `rest` is `$1`, `$2` and so on. */
export function sh(source: string, ...rest: string[]): Argv {
  return ["sh", "-c", source, "sh", ...rest];
}

/** Writes `written` to each of `paths` that it can, and prints why it could not. */
export function writing(...paths: string[]): Argv {
  const source = `for (const path of process.argv.slice(1))
    try { require("fs").writeFileSync(path, "written") } catch (error) { console.log(error.code) }`;
  return node(source, ...paths);
}

/** Whether `name` is in this process's PATH and runs. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Says `ready`, then stays for a minute. Ends like any program on SIGTERM. */
export function stay(): Argv {
  return process.platform === "win32" ? node(`console.log("ready"); ${untilRemoved}`) : sh("echo ready; exec sleep 60");
}

/** In Node source: keeps the process alive while its working folder is there. */
export const untilRemoved = `setInterval(() => require("node:fs").existsSync(process.cwd()) || process.exit(), 100);`;

/** In `sh` source: the same. */
export const waitUntilRemoved = `while [ -e "$PWD/." ]; do sleep 0.1; done`;

/** In Node source: does not end on SIGTERM. */
export const stubborn = `process.on("SIGTERM", () => {});`;
