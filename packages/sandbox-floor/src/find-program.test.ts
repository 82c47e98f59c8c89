import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProgram, placesOf } from "./find-program.js";

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "harness-find-")));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function file(path: string, mode = 0o755): string {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), "");
  chmodSync(join(cwd, path), mode);
  return join(cwd, path);
}

const find = (name: string, PATH?: string) =>
  findProgram(name, { cwd, env: PATH === undefined ? {} : { PATH }, platform: "linux" });

describe.skipIf(process.platform === "win32")("findProgram [needs executable bits]", () => {
  it("takes the first folder of PATH that has it", () => {
    file("two/tool");
    const first = file("one/tool");

    expect(find("tool", `${cwd}/none:${cwd}/one:${cwd}/two`)).toBe(first);
  });

  it("passes over a folder, a file in place of a folder, and a file that may not be executed", () => {
    mkdirSync(join(cwd, "one/tool"), { recursive: true });
    file("two");
    file("three/tool", 0o644);
    const fourth = file("four/tool");

    expect(find("tool", ["one", "two", "three", "four"].map((name) => join(cwd, name)).join(":"))).toBe(fourth);
  });

  it("finds a file that may not be executed when there is nothing better", () => {
    const plain = file("one/tool", 0o644);

    expect(find("tool", join(cwd, "one"))).toBe(plain);
  });

  it("takes a name with a separator from the working folder, whatever PATH says", () => {
    const here = file("one/tool");

    expect(find("one/tool", "/nowhere")).toBe(here);
    expect(find("./one/tool")).toBe(here);
    expect(find(here)).toBe(here);
    expect(find("./tool", join(cwd, "one"))).toBeUndefined();
  });

  it("takes an empty and a relative entry of PATH from the working folder", () => {
    const [here, below] = [file("tool"), file("bin/other")];

    expect(find("tool", "")).toBe(here);
    expect(find("other", "/nowhere:bin")).toBe(below);
  });

  it("leaves a name to the system when there is no PATH", () => {
    expect(find("tool")).toBe("tool");
  });

  it("does not find what is not there", () => {
    expect(find("tool", `${cwd}:/nowhere`)).toBeUndefined();
  });
});

describe("placesOf on Windows", () => {
  const places = (name: string, env: Record<string, string>) =>
    placesOf(name, { cwd: "C:\\work", env, platform: "win32" });

  it("tries every ending in every folder", () => {
    expect(places("npm", { PATH: "C:\\a;D:\\b", PATHEXT: ".EXE;.CMD" })).toEqual([
      "C:\\a\\npm.EXE",
      "C:\\a\\npm.CMD",
      "D:\\b\\npm.EXE",
      "D:\\b\\npm.CMD",
    ]);
  });

  it("tries a name that has an ending as it is first", () => {
    expect(places("tool.exe", { PATH: "C:\\a", PATHEXT: ".EXE" })).toEqual(["C:\\a\\tool.exe", "C:\\a\\tool.exe.EXE"]);
  });

  it("takes either slash for a path", () => {
    expect(places("bin/tool", { PATHEXT: ".EXE" })).toEqual(["C:\\work\\bin\\tool.EXE"]);
    expect(places("bin\\tool", { PATHEXT: ".EXE" })).toEqual(["C:\\work\\bin\\tool.EXE"]);
  });
});
