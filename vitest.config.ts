// Tests run on the sources: a package's name resolves to its src/, so that no build is needed and none can be stale.
// Tests that start real processes use the built dist/ folders, which `npm test` makes first.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { freshWorker } from "./scripts/fresh-worker.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const packages = readdirSync(here("packages"));

const alias = packages.flatMap((folder) => {
  const name = folder === "io-harness" ? folder : `@harness/${folder}`;
  return [
    { find: new RegExp(`^${name}$`), replacement: here(`packages/${folder}/src/index.ts`) },
    { find: new RegExp(`^${name}/(.+)$`), replacement: here(`packages/${folder}/src/$1.ts`) },
  ];
});

const search = "packages/workspace/src/search";
const worker = freshWorker({
  module: here(`${search}/worker-file.ts`),
  entry: here(`${search}/search-worker.ts`),
  folder: here("node_modules/.cache/search-worker"),
  alias,
});

const project = (name: string, root: string, include: string[]) => ({
  plugins: [worker],
  resolve: { alias },
  test: { name, root: here(root), include, pool: "forks" as const, testTimeout: 30_000, hookTimeout: 60_000 },
});

export default defineConfig({
  test: {
    projects: [
      ...packages.map((folder) => project(folder, `packages/${folder}`, ["src/**/*.test.ts"])),
      ...readdirSync(here("apps")).map((folder) => project(folder, `apps/${folder}`, ["src/**/*.test.ts"])),
      project("repository", "scripts", ["**/*.test.ts"]),
    ],
  },
});
