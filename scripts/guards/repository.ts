// What the guards read of the repository: its packages, their files, and what a file imports.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const root = resolve(fileURLToPath(import.meta.url), "../../..");

export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, string | { readonly types?: string; readonly import?: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Package {
  /** Relative to the root: `packages/spec`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export const rootManifest = manifestIn(".");
/** Every package and app of the workspace, by folder. */
export const packages: readonly Package[] = ["packages", "apps"].flatMap((top) =>
  readdirSync(join(root, top)).map((name) => ({ folder: `${top}/${name}`, manifest: manifestIn(`${top}/${name}`) })),
);
export const published = packages.filter(({ manifest }) => !manifest.private);

function manifestIn(folder: string): Manifest {
  return JSON.parse(read(join(folder, "package.json")));
}

export function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

const generated = new Set(["node_modules", "dist", "types", "coverage", ".git", ".turbo", ".vitest"]);

/** Every file of ours under `folder`, relative to the root. */
export function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return generated.has(entry.name) ? [] : filesUnder(path);
    return entry.isFile() ? [path] : [];
  });
}

/** TypeScript under `folder`'s src. */
export function sourcesOf({ folder }: Package): readonly string[] {
  return filesUnder(folder).filter((file) => file.startsWith(`${folder}/src/`) && file.endsWith(".ts"));
}

/** Tests, and what only tests use: `x.test.ts`, `x.test-support.ts`, `test-x.ts`, anything under `__fixtures__`. */
export function isTest(file: string): boolean {
  return /\.test(-support)?\.ts$|\/test-[\w-]+\.ts$|\/__fixtures__\//.test(file);
}

/** Every module specifier in `file`: imports, re-exports, dynamic imports and types. */
export function importsOf(file: string): readonly string[] {
  return ts.preProcessFile(read(file), true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The package's own name in `specifier`: `@harness/testing` in `@harness/testing/store`. */
export function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** What can be imported of a package, with the source of each: `.`, `./store`. */
export function entryPoints({ folder, manifest }: Package): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    if (typeof target === "string" || target.types === undefined) continue;
    const source = target.types.replace(/^\.\/types\//, "src/").replace(/\.d\.ts$/, ".ts");
    found.set(subpath, `${folder}/${source}`);
  }
  return found;
}

/** The file of ours that `specifier` in `file` means; `undefined` for anything installed. */
export function resolveImport(file: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) {
    return relative(root, resolve(root, dirname(file), specifier))
      .replaceAll("\\", "/")
      .replace(/\.js$/, ".ts");
  }
  const owner = packages.find(({ manifest }) => manifest.name === packageName(specifier));
  return owner && entryPoints(owner).get(`.${specifier.slice(owner.manifest.name.length)}`);
}
