import { describe, expect, it } from "vitest";
import { lexicalPath } from "./lexical-path.js";

const refused = (reason: RegExp) =>
  expect.objectContaining({ code: "act-refused", message: expect.stringMatching(reason) });

function thrownBy(path: string, windows = false): unknown {
  try {
    return lexicalPath("read", path, windows);
  } catch (error) {
    return error;
  }
}

describe("lexicalPath", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//x/../a.ts", "src/a.ts"],
    ["src/", "src"],
    [".", "."],
    ["a/..", "."],
    ["src/../secrets/k", "secrets/k"],
    ["..a/...", "..a/..."],
    ["~/x", "~/x"],
    ["a\\b", "a\\b"],
    ["café", "café"],
  ])("reads %j as %j", (path, expected) => {
    expect(lexicalPath("read", path, false)).toBe(expected);
  });

  it.each(["/etc/passwd", "//server/share/x", "\\\\server\\share", "\\\\?\\C:\\x", "C:\\x", "c:/x", "C:x", "/c/x"])(
    "refuses %j as absolute on every system",
    (path) => {
      expect(thrownBy(path)).toEqual(refused(/absolute/));
      expect(thrownBy(path, true)).toEqual(refused(/absolute/));
    },
  );

  it.each(["..", "../x", "a/../../etc/passwd", "a/../../root/b", "./../a"])("refuses %j, which climbs out", (path) => {
    expect(thrownBy(path)).toEqual(refused(/climbs above/));
  });

  it("refuses a NUL and a lone surrogate before anything else", () => {
    expect(thrownBy("/a\0b")).toEqual(refused(/NUL/));
    expect(thrownBy("a\ud800")).toEqual(refused(/surrogate/));
  });

  it("says which act on which target was refused", () => {
    expect(thrownBy("../x")).toMatchObject({
      act: "read",
      target: "../x",
      reason: "it climbs above the workspace root",
    });
  });

  it("takes a backslash as a separator on Windows only", () => {
    expect(lexicalPath("read", "src\\x\\..\\a.ts", true)).toBe("src/a.ts");
    expect(thrownBy("..\\x", true)).toEqual(refused(/climbs above/));
    expect(thrownBy("\\x", true)).toEqual(refused(/absolute/));
  });

  it.each(["a.", "a ", "ab::$DATA", "key.txt:stream", "NUL", "src/con.txt", "COM1"])(
    "refuses %j on Windows, which reads it as another name, and takes it elsewhere",
    (path) => {
      expect(thrownBy(path, true)).toEqual(refused(/another meaning/));
      expect(lexicalPath("read", path, false)).toBe(path);
    },
  );
});
