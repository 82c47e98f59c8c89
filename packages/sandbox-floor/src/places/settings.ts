// What a command and its options come to before anything is looked for: the workspace resolved, the defaults filled in.
import { homedir, tmpdir } from "node:os";
import { isAbsolute, normalize } from "node:path";
import type { SandboxCommand } from "@harness/spec";
import { notStarted } from "../failures.js";
import { isFolder, resolved } from "./paths.js";
import type { PlacesOptions } from "./places.js";

export interface Settings {
  readonly command: SandboxCommand;
  readonly options: PlacesOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Resolved; absent when there is none. */
  readonly home: string | undefined;
  /** Resolved, and a folder. */
  readonly workspace: string;
  readonly cwd: string;
  /** Resolved. What a link leads to is neither granted nor hidden when it is one of these or lies above one. */
  readonly wide: () => readonly string[];
  /** Whether `except` lifts the default of that name or path. */
  readonly isExcepted: (...spellings: readonly string[]) => boolean;
}

export function settingsOf(command: SandboxCommand, options: PlacesOptions): Settings {
  const { argv, cwd } = command;
  assertAbsolute(command, options);
  const given = command.workspace ?? cwd;
  const workspace = resolved(given);
  if (workspace === undefined || !isFolder(workspace)) {
    const reason = `its workspace ${JSON.stringify(given)} is not a folder that can be reached`;
    throw notStarted("setup-failed", argv, reason, "Give a folder that is there.");
  }
  const { environment = process.env, home: homeGiven = environment.HOME ?? homedir() } = options;
  const home = isAbsolute(homeGiven) ? resolved(homeGiven) : undefined;
  return {
    ...{ command, options, environment, home, workspace },
    cwd: cwd === given ? workspace : (resolved(cwd) ?? cwd),
    wide: () => [workspace, home, ...["/tmp", "/var/tmp", tmpdir()].map(resolved)].filter((path) => path !== undefined),
    isExcepted: exceptions(options.except ?? []),
  };
}

/** A path that leads somewhere else in another folder would only look like a protection. */
function assertAbsolute(
  { argv, writableRoots, protectedPaths, hiddenPaths }: SandboxCommand,
  options: PlacesOptions,
): void {
  const lists = [writableRoots, protectedPaths, hiddenPaths, options.caches, options.protected, options.hidden];
  const relative = lists.flatMap((list) => list ?? []).find((path) => !isAbsolute(path));
  if (relative === undefined) return;
  const reason = `the path ${JSON.stringify(relative)} is not absolute`;
  throw notStarted("setup-failed", argv, reason, "Give absolute paths.");
}

function exceptions(except: readonly string[]): Settings["isExcepted"] {
  if (except.length === 0) return () => false;
  const lifted = except.map((name) => normalize(name).replace(/[\\/]$/, ""));
  return (...spellings) =>
    spellings.some((spelling) => lifted.some((name) => spelling === name || spelling.startsWith(`${name}/`)));
}
