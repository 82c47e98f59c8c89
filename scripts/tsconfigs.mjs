// Writes each package's tsconfig.json from its workspace dependencies, and the root's list of all of them,
// so that `tsc -b` builds in dependency order. Run it after a package or a dependency is added.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = ["packages", "apps"].flatMap((top) => readdirSync(join(root, top)).map((name) => `${top}/${name}`));
const manifests = folders.map((folder) => ({
  folder,
  manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")),
}));
const folderOf = new Map(manifests.map(({ folder, manifest }) => [manifest.name, folder]));
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

for (const { folder, manifest } of manifests) {
  const needs = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter((name) =>
    folderOf.has(name),
  );
  const config = {
    extends: "../../tsconfig.base.json",
    compilerOptions: { rootDir: "src", outDir: "types", tsBuildInfoFile: "types/.tsbuildinfo" },
    include: ["src"],
    references: needs.sort().map((name) => ({ path: relative(folder, folderOf.get(name)) })),
  };
  writeFileSync(join(root, folder, "tsconfig.json"), json(config));
}
writeFileSync(
  join(root, "tsconfig.json"),
  json({ files: [], references: folders.sort().map((folder) => ({ path: folder })) }),
);
