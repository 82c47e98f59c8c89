import { chmod, lstat, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { actsOf, call, testFolder } from "../test-context.js";
import { writeFileTool } from "./write-file.js";

const tool = writeFileTool();
const write = (workspace: string, path: string, content: string) => call(tool, { path, content }, { workspace });

describe("write_file", () => {
  it("creates a file in missing folders and reports it with a diff", async () => {
    await using folder = await testFolder();
    expect(await write(folder.root, "a/b/c.txt", "one\ntwo\n")).toEqual({
      text: "Created a/b/c.txt: 2 lines added, 0 removed, 8 bytes now.",
      changes: [
        {
          path: "a/b/c.txt",
          kind: "created",
          added: 2,
          removed: 0,
          before: null,
          after: sha256("one\ntwo\n"),
          diff: "--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n",
        },
      ],
    });
    expect(await readFile(join(folder.root, "a/b/c.txt"), "utf8")).toBe("one\ntwo\n");
    expect(await readdir(join(folder.root, "a/b"))).toEqual(["c.txt"]);
  });

  it("says beforehand what it found and what it would leave", async () => {
    await using folder = await testFolder({ a: "old" });
    const acts = (path: string) => actsOf(tool, { path, content: "new" }, { workspace: folder.root });
    const after = sha256("new");
    expect(await acts("./a")).toEqual([{ type: "write", target: "a", before: sha256("old"), after }]);
    expect(await acts("b")).toEqual([{ type: "write", target: "b", before: null, after }]);
  });

  it("calls a write of the same length but other bytes a change, and identical content unchanged", async () => {
    await using folder = await testFolder({ a: "aaa" });
    const { ino } = await stat(join(folder.root, "a"));
    expect(await write(folder.root, "a", "aaa")).toEqual({
      text: "a is unchanged: it already has exactly this content. Nothing was written.",
      changes: [],
      changed: false,
    });
    expect((await stat(join(folder.root, "a"))).ino).toBe(ino);
    expect((await write(folder.root, "a", "bbb")).changes).toMatchObject([{ kind: "changed", added: 1, removed: 1 }]);
  });

  it("keeps CRLF, a byte order mark and UTF-16 as the file has them, and adds none", async () => {
    await using folder = await testFolder({
      "run.bat": "a\r\nb\r\n",
      marked: "\ufeffa\n",
      plain: "a\n",
      wide: Buffer.from("\ufeffa", "utf16le"),
    });
    const bytes = async (path: string, content: string) => {
      await write(folder.root, path, content);
      return readFile(join(folder.root, path));
    };
    expect(await bytes("run.bat", "x\ny\r\nz\n")).toEqual(Buffer.from("x\r\ny\r\nz\r\n"));
    expect(await bytes("marked", "b\n")).toEqual(Buffer.from("\ufeffb\n"));
    expect(await bytes("marked", "\ufeffc\n")).toEqual(Buffer.from("\ufeffc\n"));
    expect(await bytes("plain", "\ufeffb\n")).toEqual(Buffer.from("b\n"));
    expect(await bytes("wide", "é")).toEqual(Buffer.from("\ufeffé", "utf16le"));
    expect(await bytes("new", "x\ny")).toEqual(Buffer.from("x\ny"));
  });

  it("calls content that only differs from a CRLF file in its endings unchanged", async () => {
    await using folder = await testFolder({ a: "x\r\ny\r\n" });
    expect((await write(folder.root, "a", "x\ny\n")).changed).toBe(false);
  });

  it("keeps mode bits", async () => {
    await using folder = await testFolder({ "run.sh": "a", plain: "a" });
    await chmod(join(folder.root, "run.sh"), 0o750);
    await write(folder.root, "run.sh", "b");
    expect((await stat(join(folder.root, "run.sh"))).mode & 0o7777).toBe(0o750);
  });

  it("writes through a link inside the workspace, keeps the link, and is judged by both names", async () => {
    await using folder = await testFolder({ "docs/real.md": "old" });
    await symlink("docs/real.md", join(folder.root, "README"));
    const args = { path: "README", content: "new" };
    const targets = (await actsOf(tool, args, { workspace: folder.root })).map(({ target }) => target);
    expect(targets).toEqual(["README", "docs/real.md"]);
    const result = await call(tool, args, { workspace: folder.root });
    expect(result.text).toMatch(/^Changed README \(a link to docs\/real\.md\)/);
    expect(result.changes).toMatchObject([{ path: "docs/real.md" }]);
    expect((await lstat(join(folder.root, "README"))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder.root, "docs/real.md"), "utf8")).toBe("new");
  });

  it("replaces a binary file and makes no diff of it, nor of a very large one", async () => {
    await using folder = await testFolder({ bin: Buffer.from([0xff, 0, 1]), large: "x\n".repeat(600_000) });
    const [binary] = (await write(folder.root, "bin", "text\n")).changes ?? [];
    expect(binary).toMatchObject({ kind: "changed", added: 1, removed: 0 });
    expect(binary).not.toHaveProperty("diff");
    const [large] = (await write(folder.root, "large", `y\n${"x\n".repeat(600_000)}`)).changes ?? [];
    expect(large).toMatchObject({ added: 1, removed: 0 });
    expect(large).not.toHaveProperty("diff");
  });

  it.each([
    { path: "a" },
    { content: "x" },
    { path: "a", content: 1 },
    { path: "a", content: "\ud800" },
    { path: "a", content: "", mode: 1 },
  ])("calls %j wrong arguments", async (args) => {
    await expect(call(tool, args, { workspace: "/nowhere" })).rejects.toThrow(/^Invalid arguments/);
  });

  it("refuses the root and a folder in words, and what leaves the workspace outright", async () => {
    await using folder = await testFolder({ "src/a": "" });
    await symlink("../outside", join(folder.root, "outbox"));
    await expect(write(folder.root, ".", "x")).rejects.toThrow(/Could not write "\.": it is a folder/);
    await expect(write(folder.root, "src", "x")).rejects.toThrow(/Could not write "src": it is a folder/);
    await expect(write(folder.root, "src/a/b", "x")).rejects.toThrow(/it, or a part of its path, is a file/);
    for (const path of ["outbox/new/dir/file", "outbox", "../x", "a/../../x", "/x"]) {
      await expect(write(folder.root, path, "x")).rejects.toMatchObject({ code: "act-refused", act: "write" });
    }
    expect(await readdir(folder.outside)).toEqual([]);
  });
});
