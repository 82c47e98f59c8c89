// What a command may not read: keys and sessions in the home, what the rules deny in the workspace, and what the caller lists. A
// link is followed, since what it leads to is what could be read.
import { delimiter, isAbsolute, join } from "node:path";
import type { SandboxError } from "@harness/spec";
import { notStarted } from "../failures.js";
import { secretRows } from "./default-names.js";
import type { Denied } from "./denied.js";
import type { Listings } from "./listings.js";
import { isFolder, isWithin, resolved } from "./paths.js";
import type { HiddenPlace } from "./places.js";
import type { Settings } from "./settings.js";

export interface Hidden {
  readonly places: readonly HiddenPlace[];
  readonly warnings: readonly string[];
}

/** Throws `SandboxError` `setup-failed` when the caller hides the workspace, or the folder in which the command starts. */
export function hiddenPlaces(settings: Settings, denied: Denied, listings: Listings): Hidden {
  const { command, options } = settings;
  const places: HiddenPlace[] = [];
  const warnings: string[] = [];
  const hide = (path: string, said: "by the caller" | "by a rule" | "by default") => {
    const real = resolved(path);
    if (real === undefined) return;
    const isLedByRule = said === "by a rule" && real !== path;
    const problem = problemOf(real, settings) ?? (isLedByRule ? needOf(real, settings) : undefined);
    if (problem === undefined) places.push({ path: real, isFolder: isFolder(real) });
    else if (said === "by default" || isLedByRule) warnings.push(`${JSON.stringify(path)} was not hidden: ${problem}.`);
    else throw contradiction(command.argv, path, problem);
  };

  for (const path of [...(options.hidden ?? []), ...(command.hiddenPaths ?? [])]) hide(path, "by the caller");
  for (const path of denied.read) hide(path, "by a rule");
  for (const path of secretsOf(settings, listings)) hide(path, "by default");
  return { places, warnings };
}

function contradiction(argv: readonly string[], path: string, problem: string): SandboxError {
  const reason = `it is not to read ${JSON.stringify(path)}, and ${problem}`;
  return notStarted("setup-failed", argv, reason, "Hide only what it can do without, or run it elsewhere.");
}

/** Why the command could not run with the resolved `path` hidden. */
function problemOf(path: string, { workspace, cwd }: Settings): string | undefined {
  if (path === workspace) return "that is its workspace";
  if (isWithin(path, workspace)) return "its workspace lies in that";
  return isWithin(path, cwd) ? "it starts in that folder" : undefined;
}

/** Why it would lack more than one secret with it. A link in the workspace may have been made by anyone. */
function needOf(path: string, { wide }: Settings): string | undefined {
  const isNeeded =
    systemFolders.some((folder) => isWithin(folder, path)) || wide().some((folder) => isWithin(path, folder));
  return isNeeded ? `it leads to ${JSON.stringify(path)}, which programs need` : undefined;
}

const systemFolders: readonly string[] = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/dev", "/proc", "/sys", "/nix/store"],
  ...["/System", "/private/etc"],
];

function secretsOf({ home, environment, isExcepted }: Settings, listings: Listings): readonly string[] {
  return secretRows.flatMap(({ name, variable }) => {
    const moved = variable === undefined ? undefined : environment[variable];
    const paths = moved ? moved.split(delimiter).filter(isAbsolute) : usual(name, home, listings);
    return paths.filter((path) => !isExcepted(`~/${name}`, path));
  });
}

function usual(name: string, home: string | undefined, listings: Listings): readonly string[] {
  return home === undefined || listings.lacks(home, name) ? [] : [join(home, name)];
}
