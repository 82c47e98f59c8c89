// The only way out of a working folder. A command that ran there may have left anything: links, FIFOs, other names of files
// that are not its own. So every folder on the way is opened one by one, no link in the source is followed, and a file is
// written beside where it goes and renamed when it is whole.
import { randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { sep } from "node:path";
import { copyOpened, type OpenFile, openRegular } from "./copy-file.js";
import { destinationParts, holdMade, syncFolder } from "./destination.js";
import { type HeldFolder, holdFolder } from "./held-folder.js";
import { codeOf, type LeftOut, type Problem, systemProblem } from "./left-out.js";
import { givenFolder } from "./parent-folder.js";
import { relativeParts } from "./relative-path.js";

export interface CopyBackOptions {
  /** The working folder. Absolute. */
  readonly from: string;
  /** Where the files go, at the same relative paths. Absolute, and there. */
  readonly to: string;
  /** Relative to `from`, `/` between the parts. Only files; folders are made as they are needed. */
  readonly files: readonly string[];
  /** The write policy: asked for each path relative to `to`, and again for where it really leads when a folder is a link. */
  readonly allowed: (relativePath: string) => boolean;
  /** Checked between files and between the pieces of one. What has landed by then stays; nothing is left half-written. */
  readonly signal?: AbortSignal;
}

export interface CopiedBack {
  /** What landed, in the order asked for, each path once. */
  readonly copied: readonly string[];
  readonly left: readonly LeftOut[];
}

/**
 * Copies `files` out of a working folder. Throws `ActRefusedError`, with nothing copied, for a path that is absolute or has
 * a `..` in it; `ConfigError` for a folder that is not there; the signal's reason. Whatever stops one file is reported in
 * `left`, and the others go on. A file keeps its permissions, without set-id bits, and replaces what was there whole.
 */
export async function copyBack({ from, to, files, allowed, signal }: CopyBackOptions): Promise<CopiedBack> {
  const paths = [...new Set(files.map((file) => relativeParts(file).join("/")))];
  const folders = { from: givenFolder(from, "from"), to: givenFolder(to, "to") };
  const ends: Ends = { ...folders, allowed, signal, touched: new Set() };
  const problems = new Map<string, Problem>();
  try {
    await inTurn(paths, async (path) => {
      signal?.throwIfAborted();
      const problem = await copyOne(path, ends);
      if (problem) problems.set(path, problem);
    });
  } finally {
    for (const folder of ends.touched) await syncFolder(folder);
  }
  return {
    copied: paths.filter((path) => !problems.has(path)),
    left: paths.flatMap((path) => {
      const problem = problems.get(path);
      return problem ? [{ path, ...problem }] : [];
    }),
  };
}

interface Ends {
  readonly from: string;
  readonly to: string;
  readonly allowed: (relativePath: string) => boolean;
  readonly signal: AbortSignal | undefined;
  /** Folders that got a new name, to be made durable once each. */
  readonly touched: Set<string>;
}

/** Making a file durable is waiting; a disk takes as long for several as for one. */
const atOnce = 8;

/** Does `work` for each path, some at once. After the first failure no more is begun; rejects when all that was has ended. */
async function inTurn(paths: readonly string[], work: (path: string) => Promise<void>): Promise<void> {
  const waiting = paths.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const path of waiting) {
      if (failures.length > 0) return;
      await work(path).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
}

async function copyOne(path: string, ends: Ends): Promise<Problem | undefined> {
  if (!ends.allowed(path)) return { reason: "not-allowed" };
  const parts = path.split("/");
  const source = await openSource(ends.from, parts).catch(explained(systemProblem));
  if ("reason" in source) return source;
  try {
    return await deliver(source, parts, ends).catch(explained(destinationProblem));
  } finally {
    await source.handle.close();
  }
}

/** Links were resolved and folders made before; what the system says then is of what changed since. */
function destinationProblem(error: unknown): Problem | undefined {
  const code = codeOf(error);
  if (code === "ENOTDIR") return { reason: "occupied" };
  return code === "ENOENT" || code === "ELOOP" ? { reason: "changed" } : systemProblem(error);
}

function explained(explain: (error: unknown) => Problem | undefined): (error: unknown) => Problem {
  return (error) => {
    const problem = explain(error);
    if (problem) return problem;
    throw error;
  };
}

async function openSource(from: string, parts: readonly string[]): Promise<OpenFile | Problem> {
  const folder = holdBelow(from, parts.slice(0, -1));
  try {
    const source = await openRegular(folder, parts.at(-1) ?? "");
    if ("reason" in source || source.stats.nlink === 1) return source;
    await source.handle.close();
    return { reason: "hard-link" };
  } finally {
    folder.close();
  }
}

/** The folder at `parts` below `top`, each opened in the one above it. A link on the way throws `ELOOP`. */
function holdBelow(top: string, parts: readonly string[]): HeldFolder {
  let folder = holdFolder(top);
  let place = top;
  for (const part of parts) {
    place += sep + part;
    const above = folder;
    try {
      folder = holdFolder(above.at(part), place);
    } finally {
      above.close();
    }
  }
  return folder;
}

async function deliver(source: OpenFile, parts: readonly string[], ends: Ends): Promise<Problem | undefined> {
  const name = parts.at(-1) ?? "";
  const folders = destinationParts(ends.to, parts.slice(0, -1));
  if (!folders) return { reason: "leads-out" };
  const real = [...folders, name].join("/");
  if (real !== parts.join("/") && !ends.allowed(real)) return { reason: "not-allowed" };
  const folder = holdMade(ends.to, folders, ends.touched);
  if (!folder) return { reason: "changed" };
  try {
    if (isOccupied(folder.at(name))) return { reason: "occupied" };
    const problem = await land(source, folder, name, ends.signal);
    if (!problem) ends.touched.add([ends.to, ...folders].join(sep));
    return problem;
  } finally {
    folder.close();
  }
}

/** Renaming over a write-protected file would get round the protection, which someone may have meant. */
function isOccupied(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (!stats.isFile() || (stats.mode & 0o222) === 0);
}

async function land(
  source: OpenFile,
  folder: HeldFolder,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Problem | undefined> {
  // A name that the workspace's tools know and skip, should a crash leave it.
  const temporary = folder.at(`.harness-${randomBytes(8).toString("hex")}.tmp`);
  if (!(await copyOpened(source, temporary, { sync: true, signal }))) return { reason: "changed" };
  let hasLanded = false;
  try {
    signal?.throwIfAborted();
    if (!folder.isInPlace()) return { reason: "changed" };
    await rename(temporary, folder.at(name));
    hasLanded = true;
  } finally {
    if (!hasLanded) await rm(temporary, { force: true });
  }
  return undefined;
}
