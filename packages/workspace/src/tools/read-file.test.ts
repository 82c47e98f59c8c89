import { execFileSync } from "node:child_process";
import { mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actsOf, call, testFolder } from "../test-context.js";
import { readFileTool } from "./read-file.js";

const tool = readFileTool();
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("read_file", () => {
  it("shows a whole file as it is, endings and NULs included", async () => {
    await using folder = await testFolder({ "a.txt": "one\r\ntwo\0\n" });
    const result = await call(tool, { path: "a.txt" }, { workspace: folder.root });
    expect(result).toEqual({ text: "one\r\ntwo\0\n" });
  });

  it.each([
    [{ offset: 2, limit: 2 }, "a.txt, lines 2–3 of 5:\nline 2\nline 3\n"],
    [{ offset: 4 }, "a.txt, lines 4–5 of 5:\nline 4\nline 5\n"],
    [{ limit: 1 }, "a.txt, lines 1–1 of 5:\nline 1\n"],
    [{ offset: 0, limit: 9 }, `a.txt, lines 1–5 of 5:\n${numbered(5)}`],
  ])("shows the lines %j with where they stand", async (range, text) => {
    await using folder = await testFolder({ "a.txt": numbered(5) });
    expect(await call(tool, { path: "a.txt", ...range }, { workspace: folder.root })).toEqual({ text });
  });

  it("says that an empty file is empty, and how many lines a file has when asked past its end", async () => {
    await using folder = await testFolder({ empty: "", five: numbered(5) });
    for (const args of [{ path: "empty" }, { path: "empty", limit: 5 }]) {
      expect(await call(tool, args, { workspace: folder.root })).toEqual({ text: "(the file is empty)" });
    }
    const past = call(tool, { path: "five", offset: 6 }, { workspace: folder.root });
    await expect(past).rejects.toMatchObject({
      code: "tool-failed",
      message: expect.stringContaining("it has 5 lines"),
    });
  });

  it("names a byte order mark and UTF-16, and leaves the mark out", async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("hé", "utf16le")]);
    await using folder = await testFolder({ marked: "\ufeffa", wide: utf16 });
    const [marked, wide] = await Promise.all(
      ["marked", "wide"].map((path) => call(tool, { path }, { workspace: folder.root })),
    );
    expect(marked?.text).toBe("marked, UTF-8 with a byte order mark:\na");
    expect(wide?.text).toBe("wide, UTF-16, little-endian:\nhé");
  });

  it.each([
    [
      "a picture",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      "it is not text but PNG image, 8 bytes",
    ],
    ["unknown bytes", Buffer.from([0xff, 0x00, 0xff]), "it is not text but binary data, 3 bytes"],
  ])("refuses %s by name and size", async (_what, content, message) => {
    await using folder = await testFolder({ file: content });
    const read = call(tool, { path: "file" }, { workspace: folder.root });
    await expect(read).rejects.toMatchObject({ code: "tool-failed", message: expect.stringContaining(message) });
  });

  it("never cuts a file short: it says how long it is and which call shows as much as may be", async () => {
    await using folder = await testFolder({ "long.txt": "😀😀😀😀\n".repeat(10) });
    const small = readFileTool({ maxReadChars: 17 });
    const problem = await call(small, { path: "long.txt", offset: 3 }, { workspace: folder.root }).catch(
      (error) => error,
    );
    expect(problem.message).toContain("40 characters in 8 lines, over the limit of 17");
    expect(problem.message).toContain('Read a part: {"path":"long.txt","offset":3,"limit":3}.');
    const shown = await call(small, { path: "long.txt", offset: 3, limit: 3 }, { workspace: folder.root });
    expect(shown.text).toBe(`long.txt, lines 3–5 of 10:\n${"😀😀😀😀\n".repeat(3)}`);
  });

  it("sends the model to grep for a line that is too long by itself", async () => {
    await using folder = await testFolder({ "min.js": "x".repeat(30) });
    const read = call(readFileTool({ maxReadChars: 20 }), { path: "min.js" }, { workspace: folder.root });
    await expect(read).rejects.toThrow(/Line 1 alone is longer than that: look for what you need with grep/);
  });

  it("refuses a missing file, a folder, a special file and one too large to open", async () => {
    await using folder = await testFolder({ "src/a": "" });
    await writeFile(join(folder.root, "huge"), "");
    await truncate(join(folder.root, "huge"), 64 * 1024 * 1024 + 1);
    execFileSync("mkfifo", [join(folder.root, "pipe")]);
    const message = async (path: string) =>
      (await call(tool, { path }, { workspace: folder.root }).catch((e) => e)).message;
    expect(await message("nope")).toMatch(/there is no such file/);
    expect(await message("src/a/b")).toMatch(/it, or a part of its path, is a file/);
    expect(await message("src")).toMatch(/it is a folder\. Look with list_dir/);
    expect(await message("pipe")).toMatch(/not a regular file/);
    expect(await message("huge")).toMatch(/67108865 bytes, over the limit of 67108864/);
    expect(await message("x".repeat(300))).toMatch(/name is too long/);
  });

  it.each([{}, { path: "" }, { path: 7 }, { path: "a", limit: 0 }, { path: "a", offset: -1 }, { path: "a", lines: 3 }])(
    "calls %j wrong arguments",
    async (args) => {
      await expect(call(tool, args, { workspace: "/nowhere" })).rejects.toThrow(/^Invalid arguments/);
    },
  );

  it("stops when the call is cancelled", async () => {
    await using folder = await testFolder({ a: "x" });
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(call(tool, { path: "a" }, { workspace: folder.root, signal })).rejects.toBe(signal.reason);
  });
});

describe("what read_file may reach", () => {
  it("is judged by the name of a link and by what it leads to", async () => {
    await using folder = await testFolder({ "secrets/key": "k" });
    await symlink("secrets", join(folder.root, "open"));
    expect(await actsOf(tool, { path: "open/./key" }, { workspace: folder.root })).toEqual([
      { type: "read", target: "open/key" },
      { type: "read", target: "secrets/key" },
    ]);
  });

  it("is planned without telling whether anything is there", async () => {
    await using folder = await testFolder();
    const acts = await actsOf(tool, { path: "secrets/none" }, { workspace: folder.root });
    expect(acts).toEqual([{ type: "read", target: "secrets/none" }]);
  });

  it("does not include what was not granted", async () => {
    await using folder = await testFolder({ a: "x" });
    const granted = [{ act: { type: "read", target: "b" }, verdict: { effect: "allow" } }] as const;
    for (const grants of [[], granted]) {
      const read = call(tool, { path: "a" }, { workspace: folder.root, granted: grants });
      await expect(read).rejects.toMatchObject({ code: "act-refused", act: "read", target: "a" });
    }
  });

  it.each([
    ["the file itself", "src/a", "src/a"],
    ["its folder", "src", "src/a"],
  ])("ends where %s becomes a link after the call was judged", async (_what, swapped, path) => {
    await using folder = await testFolder({ "src/a": "mine", "secrets/a": "theirs" });
    await writeFile(join(folder.outside, "a"), "theirs");
    for (const target of [folder.outside, join(folder.root, "secrets")]) {
      const meanwhile = async () => {
        await rm(join(folder.root, swapped), { recursive: true });
        await symlink(swapped === path ? join(target, "a") : target, join(folder.root, swapped));
      };
      const read = call(tool, { path }, { workspace: folder.root, meanwhile });
      await expect(read).rejects.toMatchObject({ code: "act-refused" });
      await rm(join(folder.root, "src"), { recursive: true });
      await mkdir(join(folder.root, "src"));
      await writeFile(join(folder.root, "src/a"), "mine");
    }
  });

  it("still includes a file that someone replaced in the meantime", async () => {
    await using folder = await testFolder({ a: "old", b: "new" });
    const meanwhile = () => rename(join(folder.root, "b"), join(folder.root, "a"));
    expect(await call(tool, { path: "a" }, { workspace: folder.root, meanwhile })).toEqual({ text: "new" });
  });
});
