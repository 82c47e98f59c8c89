import { describe, expect, it } from "vitest";
import { lacksCompiler } from "./bootstrap.mjs";

describe("lacksCompiler", () => {
  it.each([
    ["no python", "gyp ERR! find Python\ngyp ERR! stack Error: Could not find any Python installation to use"],
    ["no make", "gyp ERR! stack Error: not found: make"],
    ["no compiler, says make", "make: g++: No such file or directory"],
    ["no compiler, says the shell", "/bin/sh: 1: g++: not found"],
    ["no compiler under another name", "make: c++: Command not found"],
    ["no command line tools", "gyp: No Xcode or CLT version detected!"],
  ])("knows the sign of %s", (_what, output) => {
    expect(lacksCompiler(output)).toBe(true);
  });

  it.each([
    ["no network", "ERR_PNPM_META_FETCH_FAIL  GET https://example.test/zod: request failed"],
    ["a full disk", "ENOSPC: no space left on device, write"],
    ["a compile error", "src/better_sqlite3.cpp:12:1: error: expected ';'\nmake: *** [Makefile:2: all] Error 1"],
    ["a missing header", "fatal error: node.h: No such file or directory"],
  ])("does not blame the compiler for %s", (_what, output) => {
    expect(lacksCompiler(output)).toBe(false);
  });
});
