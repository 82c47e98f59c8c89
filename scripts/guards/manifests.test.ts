// What must be true of every package.json, of the lockfile, and of the files generated from them.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectFiles } from "../tsconfigs.mjs";
import { entryPoints, packages, published, read, root, rootManifest } from "./repository.js";

const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

describe("manifests", () => {
  it.each([
    ["the root", rootManifest] as const,
    ...packages.map(({ folder, manifest }) => [folder, manifest] as const),
  ])(
    "of %s pin what comes from npm, and take what is ours from the workspace",
    (_where, { dependencies, devDependencies }) => {
      const ours = new Set(packages.map(({ manifest }) => manifest.name));
      const strays = Object.entries({ ...dependencies, ...devDependencies }).filter(([name, range]) =>
        ours.has(name) ? range !== "workspace:^" : !exact.test(range),
      );

      expect(strays).toEqual([]);
    },
  );

  it.each(published.map((item) => [item.folder, item] as const))("of %s publish what is built", (_folder, item) => {
    const { files = [], exports = {} } = item.manifest;

    expect(files.filter((file) => !file.startsWith("!"))).toEqual(
      entryPoints(item).size > 0 ? ["dist", "types"] : ["dist"],
    );
    expect(exports["./package.json"]).toBe("./package.json");
  });

  it("are all built in dependency order by `tsc -b`; else run node scripts/tsconfigs.mjs", () => {
    const stale = [...projectFiles()].filter(([file, config]) => !isSame(file, config));

    expect(stale.map(([file]) => file)).toEqual([]);
  });
});

describe("the lockfile", () => {
  it("knows what the manifests ask for; else run pnpm install", () => {
    const pnpm = join(root, "node_modules", "pnpm", "bin", "pnpm.cjs");
    const args = ["install", "--frozen-lockfile", "--lockfile-only", "--offline"];
    const { status, stdout } = spawnSync(process.execPath, [pnpm, ...args], { cwd: root, encoding: "utf8" });

    expect(status, stdout).toBe(0);
  });

  it("names no address: what is installed is decided by its digest", () => {
    expect(read("pnpm-lock.yaml").match(/https?:\/\/\S+|tarball:.*/g) ?? []).toEqual([]);
  });
});

function isSame(file: string, config: unknown): boolean {
  return JSON.stringify(JSON.parse(readFileSync(join(root, file), "utf8"))) === JSON.stringify(config);
}
