// Who may import whom, and what each package may take from npm. A new dependency is a line here first.
import { builtinModules } from "node:module";
import { describe, expect, it } from "vitest";
import { importsOf, isTest, packageName, packages, rootManifest, sourcesOf } from "./repository.js";

interface Row {
  /** Packages of ours; `any` for what sits on top of everything. */
  readonly imports: readonly string[] | "any";
  readonly npm: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  "@harness/spec": { imports: [], npm: [] },
  "@harness/policy": { imports: ["@harness/spec"], npm: ["zod"] },
  "@harness/core": { imports: ["@harness/spec", "@harness/policy"], npm: ["zod"] },
  "@harness/workspace": { imports: ["@harness/spec", "@harness/policy"], npm: ["zod", "ignore", "picomatch", "diff"] },
  "@harness/sandbox-floor": { imports: ["@harness/spec"], npm: [] },
  "@harness/sandbox-linux": { imports: ["@harness/spec", "@harness/sandbox-floor"], npm: [] },
  "@harness/sandbox-macos": { imports: ["@harness/spec", "@harness/sandbox-floor"], npm: [] },
  "@harness/store-sqlite": { imports: ["@harness/spec"], npm: ["better-sqlite3"] },
  "@harness/providers": { imports: ["@harness/spec"], npm: ["undici", "eventsource-parser", "zod"] },
  "@harness/testing": { imports: ["@harness/spec"], npm: ["vitest"] },
  "io-harness": {
    imports: [
      "@harness/spec",
      "@harness/core",
      "@harness/policy",
      "@harness/workspace",
      "@harness/store-sqlite",
      "@harness/sandbox-floor",
      "@harness/sandbox-linux",
      "@harness/sandbox-macos",
    ],
    npm: [],
  },
  "@harness/cli": { imports: "any", npm: ["commander", "picocolors"] },
  "@harness/demo": { imports: "any", npm: ["picocolors"] },
  "@harness/bench": { imports: "any", npm: ["better-sqlite3", "zod", "undici", "eventsource-parser"] },
};

/** Only what sits on top may know core; its own tests apart, no test may. */
const coreUsers = new Set(["@harness/core", "io-harness", "@harness/cli", "@harness/demo", "@harness/bench"]);
const ours = new Set(packages.map(({ manifest }) => manifest.name));
const builtins = new Set(builtinModules.map((name) => `node:${name}`));

function isAllowed(row: Row, name: string): boolean {
  return ours.has(name) ? row.imports === "any" || row.imports.includes(name) : row.npm.includes(name);
}

describe("the package graph", () => {
  it("has a row for every package, and no more", () => {
    expect(Object.keys(rows).sort()).toEqual([...ours].sort());
  });

  it.each(packages.map((item) => [item.manifest.name, item] as const))(
    "%s depends on what its row says",
    (name, item) => {
      const row = rows[name] ?? { imports: [], npm: [] };
      const declared = Object.keys({ ...item.manifest.dependencies, ...item.manifest.peerDependencies });

      expect(declared.filter((dependency) => !isAllowed(row, dependency))).toEqual([]);
    },
  );

  it.each(packages.map((item) => [item.manifest.name, item] as const))(
    "%s imports what its row says and its manifest declares",
    (name, item) => {
      const row = rows[name] ?? { imports: [], npm: [] };
      const declared = new Set(Object.keys({ ...item.manifest.dependencies, ...item.manifest.peerDependencies }));
      const strays = installedImports(sourcesOf(item).filter((file) => !isTest(file))).filter(
        ({ imported }) => !isAllowed(row, imported) || !declared.has(imported),
      );

      expect(strays).toEqual([]);
    },
  );

  it.each(packages.map((item) => [item.manifest.name, item] as const))(
    "%s tests with what its manifest or the root's declares, and without core unless it may know it",
    (name, { manifest, ...item }) => {
      const declared = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies };
      const available = new Set([name, ...Object.keys({ ...declared, ...rootManifest.devDependencies })]);
      const strays = installedImports(sourcesOf({ manifest, ...item }).filter(isTest)).filter(
        ({ imported }) => !available.has(imported) || (imported === "@harness/core" && !coreUsers.has(name)),
      );

      expect(strays).toEqual([]);
    },
  );
});

/** What `files` import that is neither a file of the same package nor a part of Node. */
function installedImports(files: readonly string[]): readonly { readonly file: string; readonly imported: string }[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => !specifier.startsWith(".") && !builtins.has(specifier))
      .map((specifier) => ({ file, imported: packageName(specifier) })),
  );
}
