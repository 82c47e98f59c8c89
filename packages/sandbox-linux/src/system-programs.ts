// Where the programs in front of a command are: in folders that only the system's owner writes to, and never by a PATH, which
// may name a folder that commands write to. What a command then names itself is its own affair.
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

const folders = [
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/usr/local/bin",
  "/run/current-system/sw/bin",
  "/nix/var/nix/profiles/default/bin",
];

/** The absolute path of the system's own `name`, `undefined` where there is none. */
export function systemProgram(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
