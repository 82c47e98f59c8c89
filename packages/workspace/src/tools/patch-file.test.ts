import { readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actsOf, call, probe, testFolder } from "../test-context.js";
import { encode } from "../text/decode.js";
import { patchFileTool } from "./patch-file.js";

const tool = patchFileTool();

async function patched(content: string | Uint8Array, patch: string): Promise<Buffer> {
  await using folder = await testFolder({ a: content });
  await call(tool, { path: "a", patch }, { workspace: folder.root });
  return readFile(join(folder.root, "a"));
}

const twoHunks = "@@ -1,2 +1,2 @@\n-1\n+one\n 2\n@@ -5,2 +5,3 @@\n 5\n-6\n+six\n+6.5\n";

describe("patch_file", () => {
  it("changes several places at once and reports them with a diff", async () => {
    await using folder = await testFolder({ "src/a.ts": "1\n2\n3\n4\n5\n6\n" });
    const result = await call(tool, { path: "src/a.ts", patch: twoHunks }, { workspace: folder.root });
    expect(await readFile(join(folder.root, "src/a.ts"), "utf8")).toBe("one\n2\n3\n4\n5\nsix\n6.5\n");
    expect(result.text).toBe("Changed src/a.ts: 7 lines added, 6 removed, 20 bytes now.");
    expect(result.changes?.[0]?.diff).toContain("+6.5\n");
  });

  it.each([
    ["reads a count that is left out as 1", "a\nb\n", "@@ -2 +2 @@\n-b\n+c\n", "a\nc\n"],
    ["reads a blank line as context", "a\n\nb\n", "@@ -1,3 +1,3 @@\n-a\n+A\n\n b\n", "A\n\nb\n"],
    ["passes over blank lines at its end", "a\n", "@@ -1 +1 @@\n-a\n+b\n\n\n", "b\n"],
    ["needs no newline at its own end", "a\n", "@@ -1 +1 @@\n-a\n+b", "b\n"],
    ["adds to an empty file", "", "@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n"],
    ["adds behind a line without context", "a\nb\n", "@@ -1,0 +2 @@\n+x\n", "a\nx\nb\n"],
    ["removes the last line there is", "a\n", "@@ -1 +0,0 @@\n-a\n", ""],
    ["takes hunks that touch", "a\nb\n", "@@ -1 +1 @@\n-a\n+A\n@@ -2 +2 @@\n-b\n+B\n", "A\nB\n"],
    ["ignores where the new lines are said to be", "a\nb\n", "@@ -2 +7,1 @@ f()\n-b\n+c\n", "a\nc\n"],
    ["takes a removed line for one, though it looks like a header", "-- x\n", "@@ -1 +1 @@\n--- x\n+++ y\n", "++ y\n"],
    ["gives a last line a newline", "a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a\n"],
    ["takes the newline of a last line", "a\n", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n", "a"],
    ["keeps a last line without one", "a\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file", "A\nb"],
    ["keeps CRLF", "a\r\nb\r\nc\r\n", "@@ -1,2 +1,3 @@\n a\n-b\n+x\n+y\n", "a\r\nx\r\ny\r\nc\r\n"],
    ["keeps LF", "a\nb\n", "@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+x\r\n", "a\nx\n"],
    ["writes the ending of the line it follows", "a\r\nb\nc\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n", "a\r\nx\r\nb\nc\n"],
    [
      "writes the endings it brings when it has those of the file",
      "a\r\nb\n",
      "@@ -1,2 +1,2 @@\n-a\r\n+x\n b\n",
      "x\nb\n",
    ],
    [
      "adds no second kind of ending behind a last line",
      "a\r\nb",
      "@@ -2 +2,2 @@\n-b\n\\ No newline\n+b\n+c\n",
      "a\r\nb\r\nc\r\n",
    ],
    ["keeps a byte order mark and does not see it", "\ufeffa\n", "@@ -1 +1 @@\n-a\n+b\n", "\ufeffb\n"],
  ])("%s", async (_what, content, patch, expected) => {
    expect((await patched(content, patch)).toString()).toBe(expected);
  });

  it.each(["utf-8", "utf-8-bom", "utf-16le", "utf-16be"] as const)("leaves %s in its encoding", async (encoding) => {
    const after = await patched(encode("é\r\n😀\r\n", encoding), "@@ -1,2 +1,2 @@\n-é\n+è\n 😀\n");
    expect(after).toEqual(encode("è\r\n😀\r\n", encoding));
  });

  it("does nothing when its last hunk is stale, and says which and why", async () => {
    const content = "1\r\n2\r\n3\r\n4\r\n5\r\n7\r\n";
    await using folder = await testFolder({ a: content });
    const kept: string[] = [];
    const keep = async (path: string) => void kept.push(path);
    const patch = call(tool, { path: "a", patch: twoHunks }, { workspace: folder.root, keep });
    await expect(patch).rejects.toMatchObject({
      code: "tool-failed",
      message:
        'Could not patch "a": hunk 2 (@@ -5,2 +5,3 @@) does not match the file at line 6: expected "6", found "7". ' +
        "Read the file again; every space counts. Nothing was changed.",
    });
    expect([await readFile(join(folder.root, "a"), "utf8"), kept]).toEqual([content, []]);
  });

  it("cannot be sent to another file by its headers", async () => {
    await using folder = await testFolder({ a: "x\n", b: "x\n" });
    const patch = "diff --git a/b b/b\n--- a/b\n+++ ../../b\n@@ -1 +1 @@\n-x\n+y\n";
    expect(await actsOf(tool, { path: "./c/../a", patch }, { workspace: folder.root })).toMatchObject([
      { target: "a" },
    ]);
    await call(tool, { path: "a", patch }, { workspace: folder.root });
    expect(await readFile(join(folder.root, "b"), "utf8")).toBe("x\n");
    expect(await readFile(join(folder.root, "a"), "utf8")).toBe("y\n");
  });

  it("does not follow a link out of the workspace", async () => {
    await using folder = await testFolder();
    await symlink("../outside", join(folder.root, "outbox"));
    const write = call(tool, { path: "outbox/new/a", patch: twoHunks }, { workspace: folder.root });
    await expect(write).rejects.toMatchObject({ code: "act-refused", act: "write" });
    expect(await readdir(folder.outside)).toEqual([]);
  });

  it("cannot create a file, nor change what is not text", async () => {
    await using folder = await testFolder({ bin: Buffer.from([0xff, 0x61]) });
    const patch = (path: string) => call(tool, { path, patch: "@@ -0,0 +1 @@\n+a\n" }, { workspace: folder.root });
    await expect(patch("none")).rejects.toThrow(/there is no such file\. Create it with write_file/);
    await expect(patch("bin")).rejects.toThrow(/it is not text \(binary data\)/);
    expect(await readdir(folder.root)).toEqual(["bin"]);
  });

  it("calls a patch that changes nothing unchanged, however often it is made", async () => {
    await using folder = await testFolder({ a: "x\n" });
    for (const patch of ["@@ -1 +1 @@\n-x\n+x\n", "@@ -1 +1 @@\n x\n"]) {
      const result = await call(tool, { path: "a", patch }, { workspace: folder.root });
      expect(result).toMatchObject({ changes: [], changed: false, text: expect.stringContaining("is unchanged") });
    }
  });

  it("can be made twice in a row on a CRLF file", async () => {
    await using folder = await testFolder({ a: "1\r\n2\r\n" });
    for (const [old, fresh] of [
      ["1", "one"],
      ["one", "uno"],
    ]) {
      await call(tool, { path: "a", patch: `@@ -1 +1 @@\n-${old}\n+${fresh}\n` }, { workspace: folder.root });
    }
    expect(await readFile(join(folder.root, "a"), "utf8")).toBe("uno\r\n2\r\n");
  });

  it("is answered for after a crash by taking it back, when what was kept is older", async () => {
    await using folder = await testFolder({ a: "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n" });
    const args = { path: "a", patch: twoHunks };
    let answer: unknown;
    const meanwhile = async () => {
      answer = await call(tool, args, { workspace: folder.root });
    };
    const found = await probe(tool, args, { workspace: folder.root, meanwhile, kept: { a: Buffer.from("older") } });
    expect(found).toEqual({ type: "done", result: answer });
  });

  it.each([
    { path: "a" },
    { path: "a", patch: "" },
    { path: "a", patch: "@@\ud800" },
    { path: "a", patch: "x", to: "b" },
  ])("calls %j wrong arguments", async (args) => {
    await expect(call(tool, args, { workspace: "/nowhere" })).rejects.toThrow(/^Invalid arguments/);
  });
});
