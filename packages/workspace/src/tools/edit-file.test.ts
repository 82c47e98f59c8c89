import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, testFolder } from "../test-context.js";
import { editFileTool } from "./edit-file.js";

const tool = editFileTool();

async function edited(content: string | Uint8Array, search: string, replace: string): Promise<string> {
  await using folder = await testFolder({ a: content });
  await call(tool, { path: "a", search, replace }, { workspace: folder.root });
  return readFile(join(folder.root, "a"), "utf8");
}

describe("edit_file", () => {
  it("replaces the one passage and reports it with a diff", async () => {
    await using folder = await testFolder({ "src/a.ts": "one\ntwo\nthree\n" });
    const args = { path: "src/a.ts", search: "two", replace: "2\n2.5" };
    const result = await call(tool, args, { workspace: folder.root });
    expect(result.text).toBe("Changed src/a.ts: 2 lines added, 1 removed, 16 bytes now.");
    expect(result.changes?.[0]?.diff).toBe(
      "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2.5\n three\n",
    );
  });

  it.each([
    ["deletes with an empty replacement", "a b c", "b ", "", "a c"],
    ["takes $ and \\ in a replacement as they are", "a b c", "b", "$& $1 \\n", "a $& $1 \\n c"],
    ["takes every character of a search as it is", "f(x)[0].*+?^$|{1}\\ end", "f(x)[0].*+?^$|{1}\\", "g", "g end"],
    ["finds CRLF with LF, and writes CRLF", "a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"],
    ["finds LF with CRLF, and writes LF", "a\nb\nc\n", "a\r\nb", "x\r\ny", "x\ny\nc\n"],
    ["counts a line ending of two characters once", "a\r\nb", "\nb", "\nc", "a\r\nc"],
    ["writes the ending of the line it is in", "a\r\nb\nc\n", "b", "b\nb", "a\r\nb\nb\nc\n"],
    ["keeps a byte order mark", "\ufeffa\nb\n", "a\nb", "c", "\ufeffc\n"],
    ["edits beside characters of two units", "😀a😀", "a", "é", "😀é😀"],
  ])("%s", async (_what, content, search, replace, expected) => {
    expect(await edited(content, search, replace)).toBe(expected);
  });

  it.each([
    ["x", "abc", 0],
    ["b", "abcbdb", 3],
    ["aa", "aaa", 2],
    ["a\nb", "a\r\nb a\nb", 2],
  ])(
    "leaves the file alone when %j occurs another number of times, and says how often",
    async (search, content, count) => {
      await using folder = await testFolder({ a: content });
      const edit = call(tool, { path: "a", search, replace: "y" }, { workspace: folder.root });
      await expect(edit).rejects.toMatchObject({
        code: "tool-failed",
        message: expect.stringContaining(`search occurs ${count} times, it must occur exactly once`),
      });
      expect(await readFile(join(folder.root, "a"), "utf8")).toBe(content);
    },
  );

  it("cannot create a file, nor edit what is not text", async () => {
    await using folder = await testFolder({ bin: Buffer.from([0xff, 0x61]) });
    const edit = (path: string) => call(tool, { path, search: "a", replace: "b" }, { workspace: folder.root });
    await expect(edit("none")).rejects.toThrow(/there is no such file\. Create it with write_file/);
    await expect(edit("bin")).rejects.toThrow(/it is not text \(binary data\)/);
  });

  it("calls an edit that changes nothing unchanged", async () => {
    await using folder = await testFolder({ a: "x" });
    const result = await call(tool, { path: "a", search: "x", replace: "x" }, { workspace: folder.root });
    expect(result).toMatchObject({ changes: [], changed: false });
  });

  it.each([
    { path: "a", search: "", replace: "x" },
    { path: "a", search: "x" },
    { path: "a", replace: "x" },
  ])("calls %j wrong arguments", async (args) => {
    await expect(call(tool, args, { workspace: "/nowhere" })).rejects.toThrow(/^Invalid arguments/);
  });

  it("can be made twice in a row", async () => {
    await using folder = await testFolder({ a: "1\r\n2\r\n" });
    const edit = (search: string, replace: string) =>
      call(tool, { path: "a", search, replace }, { workspace: folder.root });
    await edit("1", "one");
    await edit("2", "two");
    expect(await readFile(join(folder.root, "a"), "utf8")).toBe("one\r\ntwo\r\n");
  });

  it("keeps every byte outside the passage", async () => {
    const part = fc.string({ unit: fc.constantFrom("a", "é", "\n", "\r\n", "\t", "😀"), maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(part, part, async (head, tail) => {
        expect(await edited(`${head}<HERE>${tail}`, "<HERE>", "there")).toBe(`${head}there${tail}`);
      }),
      { numRuns: 30 },
    );
  });
});
