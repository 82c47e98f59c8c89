// Programs for tests that need a process of its own: a module that imports our packages by name, made into one file that plain Node
// runs. It is made of the sources, so that no build is needed and none can be stale.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Alias, build, type Plugin } from "vite";

const packages = fileURLToPath(new URL("../../", import.meta.url));

const alias: Alias[] = readdirSync(packages).flatMap((folder) => [
  { find: new RegExp(`^@harness/${folder}$`), replacement: `${packages}${folder}/src/index.ts` },
  { find: new RegExp(`^@harness/${folder}/(.+)$`), replacement: `${packages}${folder}/src/$1.ts` },
]);

/** A file that is not there. */
const program = fileURLToPath(new URL("./bundled-program.mjs", import.meta.url));

/** The text of the program. */
export async function bundled(source: string): Promise<string> {
  const entry: Plugin = {
    name: "bundled-program",
    enforce: "pre",
    resolveId: (id) => (id === program ? id : undefined),
    load: (id) => (id === program ? source : undefined),
  };
  const options = { configFile: false, logLevel: "error", resolve: { alias }, ssr: { noExternal: true } } as const;
  const built = await build({ ...options, plugins: [entry], build: { ssr: program, write: false } });
  if (!("output" in built)) throw new Error("The program was not built into one file.");
  return built.output[0].code;
}
