// The folder in which working folders are made. The system's temporary folder is everybody's: what lies there under our name
// may have been put there by someone else, as a trap, so it is looked at before it is used.
import { chmodSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { ConfigError, SandboxError } from "@harness/spec";
import { holdFolder } from "./held-folder.js";
import { codeOf } from "./left-out.js";

/** This user's own folder below the system's temporary one, made when missing. Throws `SandboxError` `setup-failed`. */
export function userFolder(): string {
  const user = process.geteuid?.();
  const path = join(realpathSync(tmpdir()), user === undefined ? "harness" : `harness-${user}`);
  try {
    makeFolder(path);
    makePrivate(path, user);
  } catch (error) {
    if (codeOf(error) === "") throw error;
    throw unusable(path, `the system refused (${codeOf(error)})`, error);
  }
  return path;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function makePrivate(path: string, user: number | undefined): void {
  if (!lstatSync(path).isDirectory()) throw unusable(path, "it is a link or a file");
  const folder = holdFolder(path);
  try {
    const { uid, mode } = statSync(folder.at());
    if (user !== undefined && uid !== user) throw unusable(path, "it belongs to another user");
    if (user !== undefined && (mode & 0o777) !== 0o700) chmodSync(folder.at(), 0o700);
  } finally {
    folder.close();
  }
}

function unusable(path: string, reason: string, cause?: unknown): SandboxError {
  const attempt = `Could not make working folders in ${JSON.stringify(path)}`;
  return new SandboxError("setup-failed", `${attempt}: ${reason}. Remove it, or give another parent.`, { cause });
}

/** `path`, links resolved. Throws `ConfigError` unless it is absolute and a folder; `option` is what it was given as. */
export function givenFolder(path: string, option: string): string {
  const problem = (reason: string, cause?: unknown) =>
    new ConfigError(
      `Could not use ${JSON.stringify(path)} as ${option}: ${reason}. Give an absolute folder that exists.`,
      {
        path: [option],
        cause,
      },
    );
  if (!isAbsolute(path) || path.includes("\0")) throw problem("it is not absolute");
  try {
    const real = realpathSync(path);
    if (lstatSync(real).isDirectory()) return real;
  } catch (error) {
    throw problem(`it cannot be looked at (${codeOf(error)})`, error);
  }
  throw problem("it is not a folder");
}
