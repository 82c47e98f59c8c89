import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolver } from "../paths/place.js";
import { rootFinder } from "../paths/root.js";
import { testFolder } from "../test-context.js";
import type { FilesOfFolder, Search } from "./messages.js";
import { type Counts, progress } from "./progress.js";
import { runSearch } from "./run-search.js";

interface Sight {
  readonly pattern?: string;
  readonly path?: string;
  readonly glob?: string;
  readonly visible?: (path: string) => boolean;
  /** Happens before an answer is given, with the paths asked about. */
  readonly meanwhile?: (paths: readonly string[]) => void;
  /** Files are compared with their paths, as where the kernel says nothing of open files. */
  readonly byIdentity?: boolean;
}

interface Seen extends Partial<Counts> {
  readonly lines: readonly string[];
  readonly failure: unknown;
  /** How many files each question was about. */
  readonly asked: readonly number[];
}

/** Makes a search as the worker does, with this thread in the place of the main one. */
async function see(root: string, { visible = () => true, ...sight }: Sight): Promise<Seen> {
  const found = await resolver(rootFinder())(root, "read", sight.path ?? ".");
  const start = sight.byIdentity ? { ...found, root: { ...found.root, descriptors: undefined } } : found;
  const search: Search = { start, isFolder: true, glob: sight.glob, pattern: sight.pattern, maxShown: 1_000 };
  const shared = progress();
  const lines: string[] = [];
  const questions: (readonly FilesOfFolder[])[] = [];
  const asked: number[] = [];
  const failure = runSearch(
    search,
    {
      post(message) {
        if (message.type === "question") questions.push(message.files);
        if (message.type === "found") lines.push(...message.lines);
      },
      receive() {
        const files = questions.shift() ?? [];
        const paths = files.flatMap(([folder, names]) => names.split("/").map((name) => `${folder}/${name}`));
        asked.push(paths.length);
        sight.meanwhile?.(paths);
        return Uint8Array.from(paths, (path) => (visible(path.replace(/^\.\//, "")) ? 1 : 0));
      },
    },
    shared,
  );
  return { ...shared.counts(), lines, failure, asked };
}

describe("a search", () => {
  it("opens no file before the answer that it may be seen, and none of which it hears the contrary", async () => {
    await using folder = await testFolder({ ".env": "needle", "src/a": "needle", "src/b": "needle" });
    const shown = await see(folder.root, {
      pattern: "needle",
      visible: (path) => path === "src/a",
      // Whatever is opened later than this is another file than was asked about.
      meanwhile: () => writeFileSync(join(folder.root, "src/a"), "a needle, written since"),
    });
    expect(shown).toMatchObject({ lines: ["src/a:1: a needle, written since"], files: 1, hidden: 2 });
  });

  it("asks about many files at a time, and not about all before it starts", async () => {
    await using folder = await testFolder();
    for (let number = 0; number < 3_000; number += 1) writeFileSync(join(folder.root, `f${number}`), "");
    const { asked, files } = await see(folder.root, { pattern: "x" });
    expect(files).toBe(3_000);
    expect(asked.length).toBeLessThan(20);
    expect(Math.max(...asked)).toBeLessThan(512);
  });

  it("gives up where a line needs more than the stack of an expression holds", async () => {
    await using folder = await testFolder({ a: "x", "long.txt": "ab".repeat(2_500_000) });
    const { failure, files } = await see(folder.root, { pattern: "^((a+)|(b+)|c)*[d]" });
    expect(failure).toEqual({ type: "too-complex", path: "long.txt" });
    expect(files).toBe(1);
  });

  it("walks a tree of a thousand levels", async () => {
    await using folder = await testFolder();
    const deep = "d/".repeat(1_000);
    mkdirSync(join(folder.root, deep), { recursive: true });
    writeFileSync(join(folder.root, deep, "x"), "needle");
    expect((await see(folder.root, { pattern: "needle" })).lines).toEqual([`${deep}x:1: needle`]);
  });

  it("keeps a report to its lines whatever files are called", async () => {
    await using folder = await testFolder({ "a\nb:1: x": "needle", "c\u001b[2J": "needle", "tab\t": "needle" });
    const odd = Buffer.concat([Buffer.from(`${folder.root}/`), Buffer.from([0xff, 0x66])]);
    writeFileSync(odd, "needle");
    const names = ['"a\\nb:1: x"', '"c\\u001b[2J"', '"tab\\t"'];
    // A name that is not UTF-8 is listed as well as it can be, and no path leads to the file.
    expect((await see(folder.root, {})).lines).toEqual([...names, "\ufffdf"]);
    expect((await see(folder.root, { pattern: "needle" })).lines).toEqual(names.map((name) => `${name}:1: needle`));
  });

  it("leaves out folders that may not be read", async ({ skip }) => {
    if (process.getuid?.() === 0) skip("root may read every folder");
    await using folder = await testFolder({ "a/x": "needle", "locked/x": "needle" });
    chmodSync(join(folder.root, "locked"), 0o000);
    const { lines } = await see(folder.root, { pattern: "needle" });
    chmodSync(join(folder.root, "locked"), 0o700);
    expect(lines).toEqual(["a/x:1: needle"]);
  });
});

describe.each([
  ["by the kernel's account", false],
  ["by identity", true],
])("a search that compares %s", (_way, byIdentity) => {
  it("finds the same", async () => {
    await using folder = await testFolder({ ".gitignore": "*.log\n", "a.log": "needle", "b/c": "x\nneedle", d: "" });
    const seen = await see(folder.root, { pattern: "needle", byIdentity });
    expect(seen).toMatchObject({ lines: ["b/c:2: needle"], files: 3, hidden: 0 });
  });

  it("reads nothing through a folder that was swapped for a link since it was walked, nor below it", async () => {
    await using folder = await testFolder({ "a/x": "needle", "b/x": "needle", "b/c/x": "needle" });
    mkdirSync(join(folder.outside, "c"));
    for (const path of ["x", "c/x"]) writeFileSync(join(folder.outside, path), "a needle outside");
    const meanwhile = () => {
      renameSync(join(folder.root, "b"), join(folder.outside, "b"));
      symlinkSync(folder.outside, join(folder.root, "b"));
    };
    expect((await see(folder.root, { pattern: "needle", meanwhile, byIdentity })).lines).toEqual(["a/x:1: needle"]);
  });

  it("reads nothing through a file that was swapped for a link since it was walked", async () => {
    await using folder = await testFolder({ a: "needle", b: "needle" });
    writeFileSync(join(folder.outside, "x"), "a needle outside");
    const meanwhile = () => {
      rmSync(join(folder.root, "b"));
      symlinkSync(join(folder.outside, "x"), join(folder.root, "b"));
    };
    expect((await see(folder.root, { pattern: "needle", meanwhile, byIdentity })).lines).toEqual(["a:1: needle"]);
  });

  it("waits for no FIFO and no socket, be it there from the start or in the place of a file", async () => {
    await using folder = await testFolder({ a: "needle", b: "needle" });
    execFileSync("mkfifo", [join(folder.root, "fifo")]);
    await using server = createServer().listen(join(folder.root, "socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    const meanwhile = () => {
      rmSync(join(folder.root, "b"));
      execFileSync("mkfifo", [join(folder.root, "b")]);
    };
    const { lines, files } = await see(folder.root, { pattern: "needle", meanwhile, byIdentity });
    expect([lines, files]).toEqual([["a:1: needle"], 1]);
  });

  it("fails when the folder to search is exchanged before it starts", async () => {
    await using folder = await testFolder({ "a/x": "needle", "b/x": "needle" });
    const start = await resolver(rootFinder())(folder.root, "read", "a");
    rmSync(start.absolute, { recursive: true });
    symlinkSync("b", start.absolute);
    const root = byIdentity ? { ...start.root, descriptors: undefined } : start.root;
    const search = { start: { ...start, root }, isFolder: true, glob: undefined, pattern: "needle", maxShown: 9 };
    const main = { post: () => undefined, receive: () => new Uint8Array() };
    expect(["exchanged", "system"]).toContain(runSearch(search, main, progress())?.type);
  });
});
