// Each package's tsconfig.json follows from its workspace dependencies, and the root's from all of them, so that `tsc -b` builds
// in dependency order. Run it after a package or a dependency was added: `node scripts/tsconfigs.mjs`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { quietly, root } from "./processes.mjs";

/** What each tsconfig.json must hold, by path from the root. */
export function projectFiles() {
  const folders = ["packages", "apps"].flatMap((top) => readdirSync(join(root, top)).map((name) => `${top}/${name}`));
  const manifests = folders.map((folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")));
  const folderOf = new Map(manifests.map(({ name }, index) => [name, folders[index]]));
  const projects = folders.map((folder, index) => [
    `${folder}/tsconfig.json`,
    project(folder, manifests[index], folderOf),
  ]);
  const references = [...folders, "scripts"].sort().map((path) => ({ path }));
  return new Map([...projects, ["tsconfig.json", { files: [], references }]]);
}

function project(folder, { dependencies, devDependencies }, folderOf) {
  const needed = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => folderOf.has(name));
  return {
    extends: "../../tsconfig.base.json",
    compilerOptions: { rootDir: "src", outDir: "types", tsBuildInfoFile: "types/.tsbuildinfo" },
    include: ["src"],
    references: needed.sort().map((name) => ({ path: relative(folder, folderOf.get(name)).replaceAll("\\", "/") })),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const files = projectFiles();
  for (const [file, config] of files) writeFileSync(join(root, file), `${JSON.stringify(config, null, 2)}\n`);
  await quietly("biome", ["format", "--write", ...files.keys()]);
}
