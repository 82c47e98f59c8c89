// What a package exports is a promise, and api.txt is where it is written down: by hand, so that a change is meant. It holds the
// names of values and types, sorted; where there is more than the package's own name to import from, a block for each, under
// `# ./subpath`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { compilerOptions } from "./compiler.js";
import { entryPoints, published, read, root } from "./repository.js";

const libraries = published.filter((item) => entryPoints(item).size > 0);
const sources = libraries.flatMap((item) => [...entryPoints(item).values()]);
const program = ts.createProgram(
  sources.map((file) => join(root, file)),
  compilerOptions,
);
const checker = program.getTypeChecker();

describe("api.txt", () => {
  it.each(libraries.map((item) => [item.folder, item] as const))("of %s lists what is exported", (folder, item) => {
    const entries = entryPoints(item);
    const blocks = [...entries].map(([subpath, source]) => {
      const names = exportsOf(source).sort().join("\n");
      return entries.size === 1 && subpath === "." ? names : `# ${subpath}\n${names}`;
    });

    const file = `${folder}/api.txt`;
    const written = existsSync(join(root, file)) ? read(file) : "";

    expect(normal(written)).toBe(normal(blocks.join("\n")));
  });
});

function exportsOf(file: string): string[] {
  const source = program.getSourceFile(join(root, file));
  const symbol = source && checker.getSymbolAtLocation(source);
  if (!symbol) throw new Error(`${file} is an entry point and exports nothing.`);
  return checker.getExportsOfModule(symbol).map(({ name }) => name);
}

/** Blank lines are for the eye. */
function normal(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n");
}
