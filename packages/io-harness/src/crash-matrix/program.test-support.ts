// The program that is killed, as a file that Node can run: bundled from the sources as they are, once for all processes of a test.
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll } from "vitest";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const packages = [
  ...["core", "policy", "sandbox-floor", "sandbox-linux", "sandbox-macos"],
  ...["spec", "store-sqlite", "testing", "workspace"],
];

/** For the tests of one file: a folder of their own, and `program` in it. */
export function programInFolder(): { readonly folder: string; readonly program: string } {
  const made = { folder: "", program: "" };
  beforeAll(async () => {
    made.folder = await mkdtemp(join(tmpdir(), "harness-crash-"));
    made.program = await bundle(join(made.folder, "program"));
  });
  afterAll(() => rm(made.folder, { recursive: true, force: true }));
  return made;
}

async function bundle(outDir: string): Promise<string> {
  const sqlite = createRequire(here("../../../store-sqlite/package.json")).resolve("better-sqlite3");
  const alias = packages.map((name) => ({
    find: `@harness/${name}`,
    replacement: here(`../../../${name}/src/index.ts`),
  }));
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { alias },
    ssr: { noExternal: true, external: ["better-sqlite3"] },
    build: {
      ssr: here("./child.test-support.ts"),
      outDir,
      target: "node20",
      // A process that lives for a moment is busy with reading its program.
      minify: true,
      rollupOptions: {
        output: { entryFileNames: "child.mjs", paths: { "better-sqlite3": pathToFileURL(sqlite).href } },
      },
    },
  });
  return join(outDir, "child.mjs");
}
