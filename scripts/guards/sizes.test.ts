// Files and functions that fit on a page. The limits are for what grows past them unnoticed; a good seam matters more.
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { filesUnder, isTest, packages, read, sourcesOf } from "./repository.js";

const longestFile = 400;
const usualFile = 200;
const usualFunction = 25;

const sources = packages.flatMap(sourcesOf).filter((file) => !isTest(file));
const code = ["packages", "apps", "scripts"].flatMap(filesUnder).filter((file) => /\.(ts|mjs)$/.test(file));

describe("sizes", () => {
  it(`no file has more than ${longestFile} lines`, () => {
    expect(code.map((file) => ({ file, lines: linesIn(file) })).filter(({ lines }) => lines > longestFile)).toEqual([]);
  });

  it(`nine of ten source files have at most ${usualFile} lines`, () => {
    const files = sources.map((name) => ({ name, lines: linesIn(name) }));

    expect(ninth(files), longest(files)).toBeLessThanOrEqual(usualFile);
  });

  it(`nine of ten functions have at most ${usualFunction} lines`, () => {
    const functions = sources.flatMap(functionsIn);

    expect(ninth(functions), longest(functions)).toBeLessThanOrEqual(usualFunction);
  });
});

interface Sized {
  readonly name: string;
  readonly lines: number;
}

/** The size that nine of ten do not exceed. */
function ninth(sized: readonly Sized[]): number {
  const sizes = sized.map(({ lines }) => lines).sort((a, b) => a - b);
  return sizes[Math.ceil(sizes.length * 0.9) - 1] ?? 0;
}

function longest(sized: readonly Sized[]): string {
  const top = [...sized].sort((a, b) => b.lines - a.lines).slice(0, 12);
  return `The longest:\n${top.map(({ name, lines }) => `  ${lines} ${name}`).join("\n")}\n`;
}

function linesIn(file: string): number {
  return read(file).trimEnd().split("\n").length;
}

/** Functions with a body of statements; an arrow with an expression is a part of what it stands in. */
function functionsIn(file: string): readonly Sized[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const found: Sized[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body && ts.isBlock(node.body as ts.Node)) {
      const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
      const last = source.getLineAndCharacterOfPosition(node.end).line;
      found.push({ name: `${file}:${first + 1}`, lines: last - first + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
