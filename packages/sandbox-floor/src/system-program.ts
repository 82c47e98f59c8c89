// Where helpers of ours are: `mkfifo`, `prlimit`, `sh`, and what a native backend puts in front of a command. They are looked for in
// folders that only the system's owner writes to, and never through a PATH, which may name a folder that commands write to.
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

const folders = ["/usr/bin", "/bin", "/run/current-system/sw/bin"];

/** The absolute path of the system's own `name`, `undefined` where there is none. `further` folders are looked into after the usual. */
export function systemProgram(name: string, further: readonly string[] = []): string | undefined {
  return [...folders, ...further].map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
