// For tests: the worker of @harness/workspace, built from its sources as they are. A worker is started from a file and knows no
// aliases, so that tests would otherwise need a built package, and could run a stale one.
import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Alias, build, type Plugin } from "vite";

export interface FreshWorker {
  /** The module that says where the worker's file is. */
  readonly module: string;
  /** The worker's sources start here. */
  readonly entry: string;
  /** Where built files are kept. */
  readonly folder: string;
  readonly alias: readonly Alias[];
}

/** Makes `module` name a worker that is built when the module is loaded. */
export function freshWorker({ module, entry, folder, alias }: FreshWorker): Plugin {
  return {
    name: "fresh-worker",
    async load(id) {
      if (id !== module) return undefined;
      const program = await bundle(entry, alias);
      const file = join(folder, `${createHash("sha256").update(program).digest("hex").slice(0, 16)}.mjs`);
      await mkdir(folder, { recursive: true });
      // Renamed, because another run of tests may be starting the same file.
      await writeFile(`${file}.${process.pid}`, program);
      await rename(`${file}.${process.pid}`, file);
      return `export const workerFile = new URL(${JSON.stringify(pathToFileURL(file).href)});`;
    },
  };
}

async function bundle(entry: string, alias: readonly Alias[]): Promise<string> {
  const options = { configFile: false, logLevel: "error", resolve: { alias }, ssr: { noExternal: true } } as const;
  const built = await build({ ...options, build: { ssr: entry, write: false } });
  if (!("output" in built)) throw new Error(`${entry} was not built into one file.`);
  return built.output[0].code;
}
