// Fills a new working folder from another one. What cannot be taken is left out and reported; what is too much ends it, and
// the caller removes the whole. The target is private and new, so only the source has to be watched.
import { type Dirent, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "@harness/spec";
import { copyOpened, openRegular } from "./copy-file.js";
import { type HeldFolder, holdFolder } from "./held-folder.js";
import { codeOf, type LeftOut, type Problem, systemProblem } from "./left-out.js";
import { staysInside } from "./relative-path.js";

export interface CopyIn {
  /** Absolute, links resolved. */
  readonly from: string;
  /** Absolute, empty, and nobody else's. */
  readonly to: string;
  readonly filter: (relativePath: string) => boolean;
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly signal: AbortSignal | undefined;
}

/** One pass over the source, with what it has come to so far. */
interface Pass extends CopyIn {
  readonly left: LeftOut[];
  bytes: number;
  files: number;
}

/** A folder of the source, and where what is in it goes. */
interface Level {
  readonly folder: HeldFolder;
  readonly target: string;
  /** Relative, ends in `/` unless it is empty. */
  readonly prefix: string;
  readonly depth: number;
}

/** Resolves to what was left out. Rejects with `SandboxError` `setup-failed`, or with the signal's reason. */
export async function copyIn(copy: CopyIn): Promise<readonly LeftOut[]> {
  const pass: Pass = { ...copy, left: [], bytes: 0, files: 0 };
  try {
    const folder = holdFolder(copy.from);
    await copyLevel(pass, { folder, target: copy.to, prefix: "", depth: 0 });
  } catch (error) {
    if (codeOf(error) === "") throw error;
    throw failed(pass, `the system refused (${codeOf(error)})`, "Make room, or copy less.", error);
  }
  return pass.left;
}

/** Copies what is in a folder, and closes it. */
async function copyLevel(pass: Pass, level: Level): Promise<void> {
  try {
    const entries = readdirSync(level.folder.at(), { withFileTypes: true, encoding: "buffer" });
    for (const entry of entries) {
      pass.signal?.throwIfAborted();
      const name = entry.name.toString();
      const path = level.prefix + name;
      if (!pass.filter(path)) continue;
      const isNamable = Buffer.from(name).equals(entry.name);
      const problem = isNamable ? await copyEntry(pass, level, name, entry) : ({ reason: "name" } as const);
      if (problem) pass.left.push({ path, ...problem });
    }
  } finally {
    level.folder.close();
  }
}

async function copyEntry(pass: Pass, level: Level, name: string, entry: Dirent<Buffer>): Promise<Problem | undefined> {
  pass.files += 1;
  if (pass.files > pass.maxFiles) {
    throw failed(pass, `there are more than ${pass.maxFiles} files and folders`, "Copy less, or raise maxFiles.");
  }
  if (entry.isDirectory()) return copyFolder(pass, level, name);
  if (entry.isSymbolicLink()) return copyLink(level, name);
  return copyFile(pass, level, name);
}

async function copyFolder(
  pass: Pass,
  { folder, target, prefix, depth }: Level,
  name: string,
): Promise<Problem | undefined> {
  const opened = inSource(() => holdFolder(folder.at(name), join(pass.from, prefix, name)));
  if ("reason" in opened) return opened;
  const [path, mode] = [`${target}/${name}`, lstatSync(opened.at(".")).mode];
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    opened.close();
    throw error;
  }
  await copyLevel(pass, { folder: opened, target: path, prefix: `${prefix}${name}/`, depth: depth + 1 });
  // Last, because a folder may be closed to its owner.
  await chmod(path, mode & 0o777);
  return undefined;
}

async function copyLink({ folder, target, depth }: Level, name: string): Promise<Problem | undefined> {
  const text = inSource(() => readlinkSync(folder.at(name)));
  if (typeof text !== "string") return text;
  if (!staysInside(text, depth)) return { reason: "link" };
  await symlink(text, `${target}/${name}`);
  return undefined;
}

async function copyFile(pass: Pass, { folder, target }: Level, name: string): Promise<Problem | undefined> {
  const source = await openRegular(folder, name).catch(leftOut);
  if ("reason" in source) return source;
  try {
    pass.bytes += source.stats.size;
    if (pass.bytes > pass.maxBytes) {
      throw failed(pass, `there are more than ${pass.maxBytes} bytes`, "Copy less, or raise maxBytes.");
    }
    const isWhole = await copyOpened(source, `${target}/${name}`, { sync: false, signal: pass.signal });
    return isWhole ? undefined : { reason: "changed" };
  } finally {
    await source.handle.close();
  }
}

function inSource<Value>(look: () => Value): Value | Problem {
  try {
    return look();
  } catch (error) {
    return leftOut(error);
  }
}

/** Too many open files, or a broken disk, are no property of one file: what is missing then would go unnoticed. */
const ofOneFile = new Set(["missing", "link"]);

function leftOut(error: unknown): Problem {
  // What was listed as a link is none any more.
  if (codeOf(error) === "EINVAL") return { reason: "changed" };
  const problem = systemProblem(error);
  if (problem && (ofOneFile.has(problem.reason) || problem.code === "EACCES" || problem.code === "EPERM"))
    return problem;
  throw error;
}

function failed({ from }: CopyIn, reason: string, advice: string, cause?: unknown): SandboxError {
  const attempt = `Could not copy ${JSON.stringify(from)} into a working folder`;
  return new SandboxError("setup-failed", `${attempt}: ${reason}. ${advice} Nothing was left behind.`, { cause });
}
