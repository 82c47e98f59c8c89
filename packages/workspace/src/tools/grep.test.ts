import { stat, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fakeClock } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { call, testFolder } from "../test-context.js";
import { grepTool } from "./grep.js";

const grep = async (workspace: string, args: object, visible?: (path: string) => boolean) =>
  (await call(grepTool(), args, { workspace, ...(visible && { visible }) })).text.split("\n");

/** Read last so long ago that a read of it leaves a trace, where the file system keeps one. */
const never = new Date(0);

describe("grep", () => {
  it("shows path, line and text of every line that matches, sorted by path", async () => {
    await using folder = await testFolder({
      "b.ts": "x = 1\r\ny = 2\r\nx = 3",
      "a/c.ts": "let x = 4\n",
      "d.md": "x = 5\n",
    });
    expect(await grep(folder.root, { pattern: "\\bx = \\d$" })).toEqual([
      "a/c.ts:1: let x = 4",
      "b.ts:1: x = 1",
      "b.ts:3: x = 3",
      "d.md:1: x = 5",
    ]);
    expect(await grep(folder.root, { pattern: "x", glob: "*.md" })).toEqual(["d.md:1: x = 5"]);
    expect(await grep(folder.root, { pattern: "x", path: "a" })).toEqual(["a/c.ts:1: let x = 4"]);
    expect(await grep(folder.root, { pattern: "x", path: "d.md" })).toEqual(["d.md:1: x = 5"]);
    expect(await grep(folder.root, { pattern: "zzz" })).toEqual(["No hit in 3 files."]);
  });

  it("takes characters beyond the first plane as one", async () => {
    await using folder = await testFolder({ a: "a😀c" });
    expect(await grep(folder.root, { pattern: "^a.c$" })).toEqual(["a:1: a😀c"]);
  });

  it("says what is wrong with a pattern", async () => {
    await using folder = await testFolder({ a: "" });
    const search = call(grepTool(), { pattern: "a(" }, { workspace: folder.root });
    await expect(search).rejects.toMatchObject({
      code: "tool-failed",
      message: expect.stringContaining("Unterminated group"),
    });
    await expect(call(grepTool(), { pattern: "" }, { workspace: folder.root })).rejects.toThrow(/^Invalid arguments/);
  });

  it("skips links, binary files and other encodings, and says how many files were too large", async () => {
    await using folder = await testFolder({
      "text.txt": "needle",
      "nul.bin": "needle\0",
      "latin1.txt": Buffer.from("needle \xe9", "latin1"),
      "large.txt": "needle\n".repeat(800_000),
    });
    await symlink("text.txt", join(folder.root, "link.txt"));
    expect(await grep(folder.root, { pattern: "needle" })).toEqual([
      "text.txt:1: needle",
      "(1 file over 5 MiB not searched)",
    ]);
  });

  it("shows the first 200 hits and how many more there are", async () => {
    await using folder = await testFolder({ a: "hit\n".repeat(150), b: "hit\n".repeat(120) });
    const lines = await grep(folder.root, { pattern: "hit" });
    expect(lines).toHaveLength(201);
    expect(lines[199]).toBe("b:50: hit");
    expect(lines[200]).toBe("(70 more hits not shown: narrow the pattern, the glob or the path)");
  });

  it("shortens a long line around the hit", async () => {
    await using folder = await testFolder({ "min.js": `${"a".repeat(5_000)}NEEDLE${"b".repeat(5_000)}` });
    const [line = ""] = await grep(folder.root, { pattern: "NEEDLE" });
    expect(line).toMatch(/^min\.js:1: …a+NEEDLEb+…$/);
    expect(line.length).toBeLessThan(330);
  });

  it("neither opens nor names what the policy hides, and counts it alike for every pattern and glob", async () => {
    await using folder = await testFolder({ "secrets/key": "needle", "src/a": "needle" });
    const visible = (path: string) => !path.startsWith("secrets/");
    const note = "(1 file the policy hides was left out)";
    expect(await grep(folder.root, { pattern: "needle" }, visible)).toEqual(["src/a:1: needle", note]);
    expect(await grep(folder.root, { pattern: "n", glob: "key" }, visible)).toEqual(["No hit in 0 files.", note]);
  });

  it("leaves the access time of what the policy hides as it was", async ({ skip }) => {
    await using folder = await testFolder({ ".env": "needle", "src/a": "needle" });
    const [hidden, shown] = [join(folder.root, ".env"), join(folder.root, "src/a")];
    for (const path of [hidden, shown]) await utimes(path, never, new Date());
    await grep(folder.root, { pattern: "needle" }, (path) => path !== ".env");
    if ((await stat(shown)).atimeMs === 0) skip("this file system keeps no access times");
    expect((await stat(hidden)).atimeMs).toBe(0);
  });

  it("searches a file that was granted by name, though it may not be read outright", async () => {
    await using folder = await testFolder({ asked: "needle" });
    expect(await grep(folder.root, { pattern: "needle", path: "asked" }, () => false)).toEqual(["asked:1: needle"]);
  });

  it("stops after 10 seconds, even within one line, and says how far it got", async () => {
    await using folder = await testFolder({ "slow.txt": `${"a".repeat(60)}!` });
    const clock = fakeClock();
    const search = call(grepTool({ clock }), { pattern: "^(a+)+$" }, { workspace: folder.root });
    await clock.untilWaiting();
    await clock.advance(10_000);
    const [none, note] = (await search).text.split("\n");
    expect(none).toBe("No hit in 0 files.");
    // It may not have got as far as the file.
    expect(note).toMatch(
      /^\(stopped after 10 s at (slow\.txt|\.); 0 files were searched: narrow the glob or the path\)$/,
    );
  });

  it("lets other work go on meanwhile, and stops when cancelled", async () => {
    await using folder = await testFolder(
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, "x\n"])),
    );
    const stop = new AbortController();
    const search = call(grepTool(), { pattern: "x" }, { workspace: folder.root, signal: stop.signal });
    setImmediate(() => stop.abort(new Error("stop")));
    await expect(search).rejects.toBe(await reasonOf(stop.signal));
  });
});

function reasonOf(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });
}
