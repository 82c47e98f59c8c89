// Packages as their users get them: packed, and installed from the tarballs into a folder that knows nothing of this repository.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Package, root } from "./repository.js";

export interface Ran {
  readonly status: number | null;
  /** Both streams. */
  readonly output: string;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "harness-packed-"));
}

/** Runs a program to its end. Colours are off, so that what it says can be read. */
export function runIn(folder: string, command: string, args: readonly string[]): Ran {
  const env = { ...process.env, NO_COLOR: "1", HARNESS_HOME: join(folder, ".harness") };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
  return { status, output: `${stdout}${stderr}${error ?? ""}` };
}

/** Packs `item` into `folder`, as publishing would; returns the tarball's path. */
export function pack({ folder: source, manifest }: Package, folder: string): string {
  const pnpm = join(root, "node_modules", "pnpm", "bin", "pnpm.cjs");
  const { status, output } = runIn(join(root, source), process.execPath, [pnpm, "pack", "--pack-destination", folder]);
  const tarball = output
    .trim()
    .split("\n")
    .findLast((line) => line.endsWith(".tgz"));
  if (status !== 0 || tarball === undefined) throw new Error(`Could not pack ${manifest.name}:\n${output}`);
  return tarball;
}

/**
 * An empty project in which `wanted` are installed from `tarballs`. What is ours is never asked of a registry: every name is
 * overridden, and the registry that the scope is given does not exist.
 */
export function install(wanted: readonly string[], tarballs: ReadonlyMap<string, string>): string {
  const folder = temporaryFolder();
  const files = Object.fromEntries([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]));
  const dependencies = Object.fromEntries(wanted.map((name) => [name, files[name]]));
  const manifest = {
    name: "consumer",
    version: "1.0.0",
    private: true,
    type: "module",
    dependencies,
    overrides: files,
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, ".npmrc"), "@harness:registry=http://127.0.0.1:9/\n");
  const args = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, output } = runIn(folder, "npm", args);
  if (status !== 0) throw new Error(`Could not install ${wanted.join(", ")}:\n${output}`);
  return folder;
}

/** Every package in a project's tree, by the path it stands at. */
export function installedIn(folder: string): readonly string[] {
  const lock = JSON.parse(readFileSync(join(folder, "node_modules", ".package-lock.json"), "utf8"));
  return Object.keys(lock.packages);
}

/** Lends a project the addon that is compiled here already, which its install would take a minute to compile again. */
export function lendAddon(folder: string): void {
  const from = dirname(
    createRequire(join(root, "packages/store-sqlite/package.json")).resolve("better-sqlite3/package.json"),
  );
  cpSync(
    join(from, "build/Release/better_sqlite3.node"),
    join(folder, "node_modules/better-sqlite3/build/Release/better_sqlite3.node"),
  );
}

/** Lends a project the types of Node, as if it had installed them. */
export function lendNodeTypes(folder: string): void {
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
}
