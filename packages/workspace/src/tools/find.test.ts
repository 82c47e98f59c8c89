import { renameSync, symlinkSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actsOf, call, testFolder } from "../test-context.js";
import { findTool } from "./find.js";

const tool = findTool();
const find = async (workspace: string, args: object, visible?: (path: string) => boolean) =>
  (await call(tool, args, { workspace, ...(visible && { visible }) })).text.split("\n");

describe("find", () => {
  it("finds files by name or by path, sorted by whole path", async () => {
    await using folder = await testFolder({
      "src/a.ts": "",
      "src/a/b.ts": "",
      "src/a.test.ts": "",
      "src-2/c.ts": "",
      ".github/x.yml": "",
    });
    const { root } = folder;
    expect(await find(root, { glob: "*.ts" })).toEqual(["src-2/c.ts", "src/a.test.ts", "src/a.ts", "src/a/b.ts"]);
    expect(await find(root, { glob: "src/*.ts" })).toEqual(["src/a.test.ts", "src/a.ts"]);
    expect(await find(root, { glob: "src/**" })).toEqual(["src/a.test.ts", "src/a.ts", "src/a/b.ts"]);
    expect(await find(root, { glob: "*.{yml,json}" })).toEqual([".github/x.yml"]);
    expect(await find(root, { glob: "a/*.ts", path: "src" })).toEqual(["src/a/b.ts"]);
    expect(await find(root, { glob: "", path: "" })).toHaveLength(5);
    expect(await find(root, { glob: "*.rs" })).toEqual(["No file found."]);
  });

  it("asks to read the folder it searches", async () => {
    await using folder = await testFolder({ "src/a": "" });
    await symlink("src", join(folder.root, "lib"));
    const targets = async (args: object) =>
      (await actsOf(tool, args, { workspace: folder.root })).map(({ type, target }) => [type, target]);
    expect(await targets({ glob: "*" })).toEqual([["read", "."]]);
    expect(await targets({ path: "lib" })).toEqual([
      ["read", "lib"],
      ["read", "src"],
    ]);
  });

  it("honours ignore files at every level, and never enters .git or node_modules", async () => {
    await using folder = await testFolder({
      ".gitignore": "dist/\n*.log\n/only-here\n",
      "dist/a.js": "",
      "x.log": "",
      "only-here": "",
      "sub/.gitignore": "!keep.log\n/secret.txt\n",
      "sub/keep.log": "",
      "sub/drop.log": "",
      "sub/only-here": "",
      "sub/secret.txt": "",
      "sub/deeper/secret.txt": "",
      ".git/config": "",
      "sub/node_modules/m.js": "",
    });
    expect(await find(folder.root, {})).toEqual([
      ".gitignore",
      "sub/.gitignore",
      "sub/deeper/secret.txt",
      "sub/keep.log",
      "sub/only-here",
    ]);
    // Rules of the folders above hold below; a folder asked for by name is searched whatever they say of it.
    expect(await find(folder.root, { glob: "*.log", path: "sub" })).toEqual(["sub/keep.log"]);
    expect(await find(folder.root, { path: "dist" })).toEqual(["dist/a.js"]);
  });

  it("takes a folder back that a deeper rule takes back, with what is in it", async () => {
    await using folder = await testFolder({
      ".gitignore": "build/\n*.log\n",
      "build/a": "",
      "sub/.gitignore": "!build/\n# not/a/rule\n",
      "sub/build/b": "",
      "sub/build/c.log": "",
      "sub/deep/build/d": "",
    });
    expect(await find(folder.root, { glob: "[a-d]*" })).toEqual(["sub/build/b", "sub/deep/build/d"]);
  });

  it("does not read ignore rules that the policy hides", async () => {
    await using folder = await testFolder({ ".gitignore": "a\n", a: "" });
    const found = await find(folder.root, { glob: "a" }, (path) => path !== ".gitignore");
    expect(found).toEqual(["a", "(1 file the policy hides was left out)"]);
  });

  it("follows no links and skips leftovers of interrupted writes", async () => {
    await using folder = await testFolder({ "src/a": "" });
    await symlink("src", join(folder.root, "loop"));
    await symlink("..", join(folder.root, "src/up"));
    await symlink("src/a", join(folder.root, "b"));
    await writeFile(join(folder.root, ".harness-0123456789abcdef.tmp"), "");
    expect(await find(folder.root, {})).toEqual(["src/a"]);
  });

  it("counts hidden files alike for every glob, so that a count cannot be used to guess a name", async () => {
    await using folder = await testFolder({ "secrets/key": "", "secrets/pass": "", "src/a": "" });
    const visible = (path: string) => !path.startsWith("secrets/");
    const note = "(2 files the policy hides were left out)";
    expect(await find(folder.root, { glob: "*" }, visible)).toEqual(["src/a", note]);
    expect(await find(folder.root, { glob: "ke*" }, visible)).toEqual(["No file found.", note]);
    expect(await find(folder.root, { glob: "nothing" }, visible)).toEqual(["No file found.", note]);
  });

  it("shows the first 1,000 and how many more there are", async () => {
    const names = Array.from({ length: 1_003 }, (_, index) => `f${String(index).padStart(4, "0")}`);
    await using folder = await testFolder(Object.fromEntries(names.map((name) => [name, ""])));
    const found = await find(folder.root, { glob: "f*" });
    expect(found.slice(0, -1)).toEqual(names.slice(0, 1_000));
    expect(found.at(-1)).toBe("(3 more not shown: narrow the glob or the path)");
  });

  it("leaves out a folder that is swapped for a link during the walk", async () => {
    await using folder = await testFolder({ ".gitignore": "", a: "", "b/mine": "", "c/d": "" });
    await writeFile(join(folder.outside, "theirs"), "");
    let isSwapped = false;
    // The first question is about the ignore rules of the root: by then the root has been listed, and nothing below it.
    const visible = () => {
      if (!isSwapped) {
        renameSync(join(folder.root, "b"), join(folder.outside, "b"));
        symlinkSync(folder.outside, join(folder.root, "b"));
      }
      isSwapped = true;
      return true;
    };
    expect(await find(folder.root, {}, visible)).toEqual([".gitignore", "a", "c/d"]);
  });

  it("does in a folder that was found through a link as the policy says of either name", async () => {
    await using folder = await testFolder({ "src/.gitignore": "*.log\n", "src/a": "", "src/b": "", "src/c.log": "" });
    await symlink("src", join(folder.root, "lib"));
    const visible = (path: string) => path !== "lib/a" && path !== "src/b";
    const notes = "(2 files the policy hides were left out)";
    expect(await find(folder.root, { path: "lib" }, visible)).toEqual(["lib/.gitignore", notes]);
  });

  it("keeps a name with a line feed on one line", async () => {
    await using folder = await testFolder({ "a\n(nothing was left out)": "" });
    expect(await find(folder.root, {})).toEqual(['"a\\n(nothing was left out)"']);
  });

  it("says that there is no such folder, and stops when cancelled", async () => {
    await using folder = await testFolder({ a: "" });
    await expect(find(folder.root, { path: "nope" })).rejects.toThrow(/^Could not search "nope": there is no such/);
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(call(tool, {}, { workspace: folder.root, signal })).rejects.toThrow("stop");
  });
});
