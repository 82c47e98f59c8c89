import { isHarnessError } from "@harness/spec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalPath } from "./index.js";

describe("canonicalPath", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//x/../a.ts", "src/a.ts"],
    ["./a", "a"],
    ["a//b", "a/b"],
    ["x/../a", "a"],
    ["a/b/", "a/b"],
    ["a/./b/.", "a/b"],
    ["a/..", "."],
    ["", "."],
    ["./", "."],
    ["...", "..."],
    ["a..b/.c", "a..b/.c"],
    ["~/x", "~/x"],
    ["a\\..\\b", "a\\..\\b"],
    ["cafe\u0301", "cafe\u0301"],
  ])("brings %j to %j", (path, expected) => {
    expect(canonicalPath(path)).toBe(expected);
  });

  it.each([
    ["a/../../etc/passwd", "climbs above"],
    ["..", "climbs above"],
    ["x/../../x", "climbs above"],
    ["/etc/passwd", "absolute"],
    ["//etc", "absolute"],
    ["C:\\x", "drive"],
    ["c:/x", "drive"],
    ["C:", "drive"],
    ["a\0b", "NUL"],
    ["a\ud800", "surrogate"],
  ])("refuses %j", (path, reason) => {
    expect(() => canonicalPath(path)).toThrow(expect.objectContaining({ code: "act-refused", act: "read" }));
    expect(() => canonicalPath(path)).toThrow(reason);
  });

  it("names the act that was refused", () => {
    expect(() => canonicalPath("..", { act: "write" })).toThrow(
      expect.objectContaining({ act: "write", target: ".." }),
    );
  });

  it("refuses what is not text at all", () => {
    expect(() => canonicalPath(undefined as unknown as string)).toThrow(
      expect.objectContaining({ code: "act-refused" }),
    );
  });

  it.each([
    ["src\\a.ts", "src/a.ts"],
    [".\\src\\\\x\\..\\a.ts", "src/a.ts"],
    ["a/b\\c", "a/b/c"],
  ])("reads backslashes as slashes on Windows: %j is %j", (path, expected) => {
    expect(canonicalPath(path, { platform: "windows" })).toBe(expected);
  });

  it.each([
    "a\\..\\..\\b",
    "C:\\x",
    "c:x",
    "/c/x",
    "\\x",
    "\\\\host\\share\\x",
    "\\\\?\\C:\\x",
    "\\\\?\\UNC\\host\\share",
    ".env.",
    ".env ",
    ".env::$DATA",
    "secrets./key",
  ])("refuses %j on Windows", (path) => {
    expect(() => canonicalPath(path, { platform: "windows" })).toThrow(
      expect.objectContaining({ code: "act-refused" }),
    );
  });

  it("gives a path that stays as it is, or a typed refusal, for any text", () => {
    const piece = fc.constantFrom("a", ".", "..", "/", "\\", ":", "C", "\0", "\ud800", "é", " ");
    const platforms = fc.constantFrom("posix" as const, "windows" as const);
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 12 }), platforms, (path, platform) => {
        const once = attempt(() => canonicalPath(path, { platform }));
        if (once === undefined) return;
        expect(once.split("/")).not.toContain("..");
        expect(once.startsWith("/")).toBe(false);
        expect(canonicalPath(once, { platform })).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });
});

function attempt(work: () => string): string | undefined {
  try {
    return work();
  } catch (error) {
    expect(isHarnessError(error) && error.code).toBe("act-refused");
    return undefined;
  }
}
