// Where the store of a machine's user lies when nobody says: outside any workspace, so that an agent has no way to it.
import { posix, win32 } from "node:path";
import { ConfigError } from "@harness/spec";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `$HARNESS_HOME/runs.db`, else `io-harness/runs.db` in the platform's state folder: `$XDG_STATE_HOME` or `~/.local/state`,
 * `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows. Throws `ConfigError` when no variable names a home.
 */
export function defaultStorePath(env: Environment = process.env, platform: string = process.platform): string {
  const { join } = platform === "win32" ? win32 : posix;
  if (env.HARNESS_HOME) return join(env.HARNESS_HOME, "runs.db");
  return join(stateFolder(env, platform), "io-harness", "runs.db");
}

function stateFolder(env: Environment, platform: string): string {
  if (platform === "win32") {
    return env.LOCALAPPDATA || win32.join(home(env.USERPROFILE, "LOCALAPPDATA"), "AppData", "Local");
  }
  if (platform === "darwin") return posix.join(home(env.HOME, "HOME"), "Library", "Application Support");
  // A relative path there is to be ignored, by the standard that defines the variable.
  if (env.XDG_STATE_HOME?.startsWith("/")) return env.XDG_STATE_HOME;
  return posix.join(home(env.HOME, "HOME"), ".local", "state");
}

function home(folder: string | undefined, variable: string): string {
  if (folder) return folder;
  throw new ConfigError(
    `Could not choose a place for the store: ${variable} is not set. Set HARNESS_HOME to a folder.`,
  );
}
