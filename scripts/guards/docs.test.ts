// What the guides show must compile as it stands: each block of TypeScript is a module of its own, checked as a file of the
// package it is written for (the root's and the guides' as one of the umbrella).
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { compilerOptions } from "./compiler.js";
import { filesUnder, packages, read, root } from "./repository.js";

/** How the file in memory is called. */
const guide = "__guide";

interface Block {
  readonly page: string;
  readonly line: number;
  /** What stands behind the fence: `ts`. */
  readonly info: string;
  readonly code: string;
}

// An example may keep a result that it does not go on to use.
const options = { ...compilerOptions, noUnusedLocals: false };

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  ...filesUnder("docs"),
  ...packages.map(({ folder }) => `${folder}/README.md`),
].filter((page) => page.endsWith(".md") && existsSync(join(root, page)));

const blocks = pages.flatMap(blocksOf).filter(({ info }) => /^(ts|typescript)\b/.test(info));
const errors = compile(blocks);

describe("the code in the guides", () => {
  it("is there to be checked", () => {
    expect(blocks.length).toBeGreaterThan(0);
  });

  it.each(blocks.map((block) => [`${block.page}:${block.line}`, block] as const))("%s compiles", (_where, block) => {
    expect(block.info, "A block is checked, always: write `ts` behind the fence and nothing else.").toBe("ts");
    expect(block.code).not.toMatch(/@ts-(?:expect-error|ignore|nocheck)/);
    expect(errors.get(block)).toEqual([]);
  });
});

function blocksOf(page: string): readonly Block[] {
  const found: Block[] = [];
  let open: { line: number; info: string; code: string[] } | undefined;
  for (const [index, text] of read(page).split("\n").entries()) {
    const fence = /^\s*```(.*)$/.exec(text);
    if (!fence) open?.code.push(text);
    else if (open) {
      found.push({ page, line: open.line, info: open.info, code: open.code.join("\n") });
      open = undefined;
    } else open = { line: index + 1, info: fence[1]?.trim() ?? "", code: [] };
  }
  return found;
}

/** Compiles each block alone, as a file that exists in memory only: what one imports must not help another. */
function compile(all: readonly Block[]): ReadonlyMap<Block, readonly string[]> {
  const host = readingOnce(ts.createCompilerHost(options));
  const { getSourceFile } = host;
  return new Map(
    all.map((block) => {
      const file = join(homeOf(block), `${guide}.ts`);
      const source = ts.createSourceFile(file, `${block.code}\nexport {};\n`, {
        languageVersion: ts.ScriptTarget.ES2023,
        impliedNodeFormat: ts.ModuleKind.ESNext,
      });
      host.getSourceFile = (name, version) => (name === file ? source : getSourceFile(name, version));
      return [block, messagesOf(ts.createProgram([file], options, host), source, block)];
    }),
  );
}

/** `host` made to read each file once, and to find for a guide what any of the packages could import. */
function readingOnce(host: ts.CompilerHost): ts.CompilerHost {
  const known = new Map<string, ts.SourceFile | undefined>();
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  const { getSourceFile } = host;
  host.getSourceFile = (file, version) => {
    if (!known.has(file)) known.set(file, getSourceFile(file, version));
    return known.get(file);
  };
  host.resolveModuleNameLiterals = (literals, file, redirect, settings, source) =>
    literals.map((literal) => {
      const mode = ts.getModeForUsageLocation(source, literal, settings);
      for (const place of placesFor(file)) {
        const found = ts.resolveModuleName(literal.text, place, settings, host, cache, redirect, mode);
        if (found.resolvedModule) return found;
      }
      return { resolvedModule: undefined };
    });
  return host;
}

/** A reader has installed what an example imports: what its own package lacks is taken from one that has it. */
function placesFor(file: string): readonly string[] {
  return file.endsWith(`${guide}.ts`) ? packages.map(({ folder }) => join(root, folder, "src", "index.ts")) : [file];
}

function homeOf({ page }: Block): string {
  const folder = dirname(page);
  return join(root, existsSync(join(root, folder, "src")) ? folder : "packages/io-harness", "src");
}

function messagesOf(program: ts.Program, source: ts.SourceFile, block: Block): readonly string[] {
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => {
    const { line } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    return `${block.page}:${block.line + 1 + line}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, " ")}`;
  });
}
