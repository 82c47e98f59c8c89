// What the rung is built of on this machine: programs of util-linux and of the system's base.
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { temporary } from "../bubblewrap/host.js";
import { findLauncher, type Launcher } from "../landlock/launcher-tools.js";
import { systemProgram } from "../system-programs.js";

const required = ["unshare", "setpriv", "mount", "sh", "mkdir", "cp", "ln"] as const;

export interface Tools extends Readonly<Record<(typeof required)[number], string>> {
  /** Absent: a command runs without a filter. */
  readonly launcher: Launcher | undefined;
  /** Brings the loopback device up where there is no launcher. */
  readonly ip: string | undefined;
  readonly prlimit: string | undefined;
  readonly temporary: readonly string[];
  readonly devices: readonly string[];
  readonly deviceLinks: readonly string[];
}

/** Or why there are none: a sentence or two. */
export function findTools(): Tools | string {
  if (process.platform !== "linux") return `Namespaces need Linux; this is ${process.platform}.`;
  const found = required.map((name) => [name, systemProgram(name)] as const);
  const absent = found.flatMap(([name, path]) => (path === undefined ? [name] : []));
  if (absent.length > 0) {
    const words = `Namespaces cannot be made without the programs ${absent.join(", ")}.`;
    return `${words} Install the packages util-linux and coreutils.`;
  }
  const launcher = findLauncher();
  return {
    ...(Object.fromEntries(found) as Record<(typeof required)[number], string>),
    launcher: "problem" in launcher ? undefined : launcher,
    ...{ ip: systemProgram("ip"), prlimit: systemProgram("prlimit") },
    temporary: [...new Set(temporary.filter(isFolder).map((path) => realpathSync(path)))],
    devices: ["null", "zero", "full", "random", "urandom", "tty"].map((name) => `/dev/${name}`).filter(existsSync),
    deviceLinks: ["fd", "stdin", "stdout", "stderr"].map((name) => `/dev/${name}`).filter(isLink),
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
