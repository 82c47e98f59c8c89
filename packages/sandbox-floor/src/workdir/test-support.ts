// What the tests of this folder stand on: a place with a way out of it, another user, and other processes. Not exported.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeTree } from "./remove-tree.js";

export interface TestPlace {
  /** Where working folders are made. */
  readonly parent: string;
  /** What nothing may reach; holds the file `canary`. */
  readonly outside: string;
  /** A folder to copy from or to. */
  readonly project: string;
  [Symbol.asyncDispose](): Promise<void>;
}

export const canary = "nobody may read or change this";

/** A new place, with `files` (path to content) in its project. */
export async function testPlace(files: Readonly<Record<string, string>> = {}): Promise<TestPlace> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "workdir-")));
  const [parent, outside, project] = [join(base, "parent"), join(base, "outside"), join(base, "project")];
  for (const folder of [parent, outside, project]) await mkdir(folder);
  await writeFile(join(outside, "canary"), canary);
  await fill(project, files);
  return { parent, outside, project, [Symbol.asyncDispose]: async () => void (await removeTree(base)) };
}

export async function fill(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

export const isRoot = process.geteuid?.() === 0;

/** Root may do everything, which proves nothing: does `work` as nobody where the tests are run by root. */
export async function asOrdinaryUser<Value>(work: () => Promise<Value>): Promise<Value> {
  if (!isRoot) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

const built = fileURLToPath(new URL("../../dist/index.js", import.meta.url));

/** A real process has to import what was built: `npx tsup` in this package. */
export const isBuilt = existsSync(built);

/** Runs `source`, in which `workdir` and `parent` are at hand, in a process of its own; resolves with what it prints first. */
export async function otherProcess(source: string, parent: string): Promise<{ child: ChildProcess; printed: string }> {
  const imports = `import { floor, workdir } from ${JSON.stringify(built)}; const parent = ${JSON.stringify(parent)};`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", imports + source], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [printed] = await once(child.stdout, "data");
  return { child, printed: String(printed).trim() };
}

/** Ends `child`, which ends by itself when its standard input does. */
export async function end(child: ChildProcess): Promise<void> {
  const ended = child.exitCode ?? child.signalCode ?? once(child, "close");
  child.stdin?.end();
  await ended;
}

const swapping = `
const fs = require("node:fs");
const [folder, target] = process.argv.slice(1);
const attempt = (work) => { try { work(); } catch {} };
process.stdin.on("end", () => process.exit(0)).resume();
let isTold = false;
function swap() {
  for (let count = 0; count < 50; count += 1) {
    attempt(() => fs.renameSync(folder, folder + "-real"));
    attempt(() => fs.symlinkSync(target, folder));
    attempt(() => fs.unlinkSync(folder));
    attempt(() => fs.renameSync(folder + "-real", folder));
  }
  if (!isTold) console.log("swapping");
  isTold = true;
  setImmediate(swap);
}
swap();
`;

/** Swaps `folder` for a link to `target` and back, all the time, from another process. */
export async function swapper(folder: string, target: string): Promise<{ [Symbol.asyncDispose](): Promise<void> }> {
  const child = spawn(process.execPath, ["-e", swapping, folder, target], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return { [Symbol.asyncDispose]: () => end(child) };
}
