// What of this machine bubblewrap must be told about, because not every machine has it. Asked once for each process, apart from
// what changes while one runs.
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWithin } from "../within.js";

export interface Host {
  /** Folders of `/proc` that hold settings of the whole machine. */
  readonly settings: readonly string[];
  /** Files of `/proc` through which the whole machine can be read or stopped. */
  readonly dangers: readonly string[];
  /** Where services put their sockets. */
  readonly runFolders: readonly string[];
}

/** Replaced by memory-backed folders of the command's own. */
export const temporary = ["/dev/shm", "/tmp", "/var/tmp"] as const;

export function thisHost(): Host {
  return {
    settings: ["sys", "irq", "bus", "fs", "acpi", "scsi"].map((name) => `/proc/${name}`).filter(existsSync),
    dangers: ["/proc/kcore", "/proc/sysrq-trigger"].filter(existsSync),
    runFolders: [...new Set(["/run", "/var/run"].flatMap((path) => resolved(path) ?? []))],
  };
}

/** The file that says who resolves names, where it lies in a folder that commands do not see. */
export function resolverFile({ runFolders }: Host): string | undefined {
  const file = resolved("/etc/resolv.conf");
  return file !== undefined && runFolders.some((folder) => isWithin(folder, file)) ? file : undefined;
}

/** What leads to a folder of programs that a command would not see otherwise. */
export type Way =
  | { readonly type: "folder"; readonly path: string }
  | { readonly type: "link"; readonly path: string; readonly target: string };

/** For those of `folders` that lie where a command has folders of its own: version managers put links there. */
export function waysTo(folders: readonly string[], { runFolders }: Host): readonly Way[] {
  const masked = [...temporary, ...runFolders];
  const ways = new Map<string, Way>();
  for (const folder of folders) {
    const mask = masked.find((candidate) => folder !== candidate && isWithin(candidate, folder));
    const way = mask && wayBelow(mask, folder);
    if (way) ways.set(way.path, way);
  }
  return [...ways.values()];
}

function wayBelow(mask: string, folder: string): Way | undefined {
  if (!existsSync(folder)) return undefined;
  let path: string = mask;
  for (const name of folder.slice(mask.length).split("/").filter(Boolean)) {
    path = join(path, name);
    if (lstatSync(path).isSymbolicLink()) return { type: "link", path, target: realpathSync(path) };
  }
  return { type: "folder", path };
}

/** The folder of `program`, and those in which whatever it starts is looked for. */
export function programFolders(program: string, path: string | undefined): readonly string[] {
  const listed = path?.split(":").filter((folder) => folder.startsWith("/")) ?? [];
  return program.startsWith("/") ? [dirname(program), ...listed] : listed;
}

function resolved(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
