// Imports inside and across packages: no cycles, and specifiers as Node wants them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, isTest, packages, resolveImport, root, sourcesOf } from "./repository.js";

const files = packages.flatMap(sourcesOf);

describe("imports", () => {
  // Types count: two files that need each other's types are one thing in two places as well.
  it("make no cycle, not even of types", () => {
    const sources = files.filter((file) => !isTest(file));
    const graph = new Map(sources.map((file) => [file, targetsOf(file)]));

    expect(cyclesIn(graph)).toEqual([]);
  });

  it("name the file that Node will load, with its suffix", () => {
    const strays = files.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith("."))
        .filter(
          (specifier) =>
            !/\.(js|json)$/.test(specifier) || !existsSync(join(root, resolveImport(file, specifier) ?? "")),
        )
        .map((specifier) => `${file} imports ${specifier}`),
    );

    expect(strays).toEqual([]);
  });

  it("stay inside the package, or go through another's front door", () => {
    const strays = files.flatMap((file) => {
      const folder = file.split("/").slice(0, 3).join("/");
      return importsOf(file)
        .filter((specifier) => specifier.startsWith("."))
        .filter((specifier) => !resolveImport(file, specifier)?.startsWith(`${folder}/`))
        .map((specifier) => `${file} imports ${specifier}`);
    });

    expect(strays).toEqual([]);
  });
});

describe("the search for cycles", () => {
  it("finds them, and only them", () => {
    const graph = { a: ["b", "c"], b: ["c"], c: ["d"], d: ["b"], e: ["e"], f: ["a"] };

    expect(cyclesIn(new Map(Object.entries(graph)))).toEqual(["b → c → d → b", "e → e"]);
  });
});

function targetsOf(file: string): readonly string[] {
  return importsOf(file).flatMap((specifier) => resolveImport(file, specifier) ?? []);
}

/** One cycle for every import that closes one, each as `a → b → a`. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const start = path.indexOf(node);
    if (start >= 0) cycles.push([...path.slice(start), node].join(" → "));
    if (start >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}
