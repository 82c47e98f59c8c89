import { execFileSync } from "node:child_process";
import { lstatSync, renameSync, symlinkSync } from "node:fs";
import { chmod, link, mkdir, open, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CopyBackOptions, copyBack } from "../index.js";
import { asOrdinaryUser, canary, fill, swapper, type TestPlace, testPlace } from "./test-support.js";

/** From the place's `parent`, which stands in for the working folder, to its project. */
function back(place: TestPlace, files: readonly string[], rest: Partial<CopyBackOptions> = {}) {
  return copyBack({ from: place.parent, to: place.project, files, allowed: () => true, ...rest });
}

const everything = async (folder: string) => (await readdir(folder, { recursive: true })).sort();
const read = (...path: string[]) => readFile(join(...path), "utf8");

describe("copying files out of a working folder", () => {
  it("takes those that are listed, allowed and there, and says what became of the others", async () => {
    await using place = await testPlace({ "dist/old.js": "old" });
    await fill(place.parent, { "dist/new.js": "new", "dist/old.js": "newer", "src/secret": "s", unlisted: "" });
    const allowed = (path: string) => path.startsWith("dist/");
    const files = ["dist/new.js", "./dist//old.js", "src/secret", "dist/never.js", "dist/new.js", "dist"];

    expect(await back(place, files, { allowed })).toEqual({
      copied: ["dist/new.js", "dist/old.js"],
      left: [
        { path: "src/secret", reason: "not-allowed" },
        { path: "dist/never.js", reason: "missing" },
        { path: "dist", reason: "not-allowed" },
      ],
    });
    expect(await everything(place.project)).toEqual(["dist", "dist/new.js", "dist/old.js"]);
    expect(await read(place.project, "dist/old.js")).toBe("newer");
  });

  it("makes the folders that are missing", async () => {
    await using place = await testPlace();
    await fill(place.parent, { "a/b/c/d": "deep", e: "" });

    expect(await back(place, ["a/b/c/d", "e/f"])).toEqual({
      copied: ["a/b/c/d"],
      left: [{ path: "e/f", reason: "missing" }],
    });
    expect(await read(place.project, "a/b/c/d")).toBe("deep");
  });

  it.each([
    ["/etc/passwd", "it is absolute"],
    ["C:\\file", "it is absolute"],
    ["\\\\host\\share", "it is absolute"],
    ["../file", "it has a .. in it"],
    ["a/../b", "it has a .. in it"],
    ["a\0b", "it holds what no name of a file can hold"],
    ["\ud800", "it holds what no name of a file can hold"],
    ["", "it names no file"],
    ["./", "it names no file"],
  ])("refuses %j before anything is copied", async (path, reason) => {
    await using place = await testPlace();
    await fill(place.parent, { good: "" });

    await expect(back(place, ["good", path])).rejects.toMatchObject({ code: "act-refused", act: "write", reason });
    expect(await everything(place.project)).toEqual([]);
  });

  it("refuses folders that are not there", async () => {
    await using place = await testPlace();
    await expect(back(place, [], { from: "relative" })).rejects.toMatchObject({ path: ["from"] });
    await expect(back(place, [], { to: join(place.project, "gone") })).rejects.toMatchObject({ path: ["to"] });
  });

  it("takes a thousand files", async () => {
    await using place = await testPlace();
    const files = Array.from({ length: 1_000 }, (_, index) => `out/${index % 10}/file-${index}`);
    await fill(place.parent, Object.fromEntries(files.map((file) => [file, file])));

    expect(await back(place, files)).toEqual({ copied: files, left: [] });
    expect(await Promise.all(files.map((file) => read(place.project, file)))).toEqual(files);
    expect(await readdir(join(place.project, "out/0"))).toHaveLength(100);
  });

  it("takes a file of many pieces, and an empty one, byte by byte", async () => {
    await using place = await testPlace();
    const bytes = Buffer.alloc(3_000_001, "0123456789abcdef\n");
    await writeFile(join(place.parent, "large"), bytes);
    await writeFile(join(place.parent, "empty"), "");

    expect((await back(place, ["large", "empty"])).copied).toEqual(["large", "empty"]);
    expect((await readFile(join(place.project, "large"))).equals(bytes)).toBe(true);
    expect(await read(place.project, "empty")).toBe("");
  });

  it("leaves no part of a file behind when it is cancelled, and what has landed", async () => {
    await using place = await testPlace();
    const files = Array.from({ length: 40 }, (_, index) => `file-${index}`);
    await fill(place.parent, Object.fromEntries(files.map((file) => [file, "x".repeat(600_000)])));
    const stop = new AbortController();
    let asked = 0;
    // Before a file, before each of its three pieces, and before it is given its name.
    stop.signal.throwIfAborted = () => {
      asked += 1;
      if (asked > 100) throw new Error("stop");
    };

    await expect(back(place, files, { signal: stop.signal })).rejects.toThrow("stop");
    const landed = await everything(place.project);
    expect(landed.length).toBeGreaterThan(0);
    expect(landed.length).toBeLessThan(files.length);
    expect(landed.filter((name) => !files.includes(name))).toEqual([]);
    for (const name of landed) expect((await stat(join(place.project, name))).size).toBe(600_000);
  });

  it("does not take a file that is written to meanwhile, and is not kept by one that grows all the time", async () => {
    await using place = await testPlace();
    await fill(place.parent, { log: "x".repeat(600_000), short: "x".repeat(600_000) });
    const writer = await open(join(place.parent, "log"), "a");
    const signal = new AbortController().signal;
    signal.throwIfAborted = () => {
      void writer.appendFile("y");
    };
    const cut = new AbortController().signal;
    cut.throwIfAborted = () => void truncate(join(place.parent, "short"), 10);

    expect(await back(place, ["log"], { signal })).toEqual({ copied: [], left: [{ path: "log", reason: "changed" }] });
    expect((await back(place, ["short"], { signal: cut })).left).toEqual([{ path: "short", reason: "changed" }]);
    await writer.close();
    expect(await everything(place.project)).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")(
  "what a command may have left in its folder [made with links and modes]",
  () => {
    it("is not taken when it is a link, lies behind one, or is no file", async () => {
      await using place = await testPlace();
      await fill(place.parent, { "real/file": "", folder: "" });
      await rm(join(place.parent, "folder"));
      await mkdir(join(place.parent, "folder"));
      await symlink(join(place.outside, "canary"), join(place.parent, "out"));
      await symlink("real/file", join(place.parent, "in"));
      await symlink(place.outside, join(place.parent, "way"));
      await symlink("/dev/zero", join(place.parent, "zero"));
      execFileSync("mkfifo", [join(place.parent, "fifo")]);

      expect(await back(place, ["out", "in", "way/canary", "zero", "fifo", "folder"])).toEqual({
        copied: [],
        left: [
          ...["out", "in", "way/canary", "zero"].map((path) => ({ path, reason: "link" })),
          ...["fifo", "folder"].map((path) => ({ path, reason: "not-a-file" })),
        ],
      });
      expect(await everything(place.project)).toEqual([]);
    });

    it("is not taken when the file has another name, which may be outside", async () => {
      await using place = await testPlace();
      await link(join(place.outside, "canary"), join(place.parent, "hard"));

      expect(await back(place, ["hard"])).toEqual({ copied: [], left: [{ path: "hard", reason: "hard-link" }] });
      expect(await everything(place.project)).toEqual([]);
    });

    it("keeps its permissions and loses its set-id bits", async () => {
      await using place = await testPlace({ run: "" });
      await fill(place.parent, { run: "new", plain: "" });
      await chmod(join(place.parent, "run"), 0o6755);
      await chmod(join(place.parent, "plain"), 0o604);
      await back(place, ["run", "plain"]);

      const modes = ["run", "plain"].map((name) => lstatSync(join(place.project, name)).mode & 0o7777);
      expect(modes).toEqual([0o755, 0o604]);
    });

    it("is reported when it may not be read", async () => {
      await asOrdinaryUser(async () => {
        await using place = await testPlace();
        await fill(place.parent, { "a/file": "", b: "" });
        await chmod(join(place.parent, "a"), 0);
        await chmod(join(place.parent, "b"), 0);

        const refused = { reason: "system", code: "EACCES" };
        const left = ["a/file", "b"].map((path) => ({ path, ...refused }));
        expect(await back(place, ["a/file", "b"])).toEqual({ copied: [], left });
      });
    });
  },
);

describe.skipIf(process.platform === "win32")("where files are copied back to [made with links and modes]", () => {
  it("is never out of the destination, whichever link leads there", async () => {
    await using place = await testPlace({ "inner/x": "" });
    await symlink(place.outside, join(place.project, "absolute"));
    await symlink("../../outside", join(place.project, "inner/relative"));
    await symlink("nothing/here", join(place.project, "dangling"));
    const files = ["absolute/canary", "inner/relative/new", "dangling/file"];
    await fill(place.parent, Object.fromEntries(files.map((file) => [file, "theirs"])));

    expect(await back(place, files)).toEqual({
      copied: [],
      left: files.map((path) => ({ path, reason: "leads-out" })),
    });
    expect(await read(place.outside, "canary")).toBe(canary);
    expect(await readdir(place.outside)).toEqual(["canary"]);
  });

  it("is judged by both names when a link in it leads elsewhere inside", async () => {
    await using place = await testPlace({ "secrets/key": "k", "real/x": "" });
    await symlink("secrets", join(place.project, "open"));
    await symlink("../real", join(place.project, "secrets/way"));
    await symlink("real", join(place.project, "good"));
    await fill(place.parent, { "open/key": "theirs", "good/deep/file": "good", "open/way/file": "good" });
    const allowed = (path: string) => !path.startsWith("secrets/");

    expect(await back(place, ["open/key", "good/deep/file", "open/way/file"], { allowed })).toEqual({
      copied: ["good/deep/file", "open/way/file"],
      left: [{ path: "open/key", reason: "not-allowed" }],
    });
    expect(await read(place.project, "secrets/key")).toBe("k");
    expect(await read(place.project, "real/deep/file")).toBe("good");
  });

  it("may be the root of a link, but no link, folder or protected file is replaced", async () => {
    await using place = await testPlace({ "folder/x": "", protected: "old", "a-file": "" });
    await symlink(join(place.outside, "canary"), join(place.project, "link"));
    await chmod(join(place.project, "protected"), 0o444);
    const files = ["folder", "link", "protected", "a-file/below"];
    await fill(place.parent, Object.fromEntries(files.map((file) => [file, "theirs"])));
    const alias = `${place.project}-alias`;
    await symlink(place.project, alias);

    expect(await back(place, files, { to: alias })).toEqual({
      copied: [],
      left: files.map((path) => ({ path, reason: "occupied" })),
    });
    await rm(alias);
    expect(await read(place.outside, "canary")).toBe(canary);
    expect(await read(place.project, "protected")).toBe("old");
  });

  it("is not followed when it moves away while a file is copied", async () => {
    await using place = await testPlace({ "a/x": "" });
    await fill(place.parent, { "a/file": "theirs" });
    const signal = new AbortController().signal;
    let asked = 0;
    signal.throwIfAborted = () => {
      asked += 1;
      // Before the file, before its only piece, before it is given its name.
      if (asked !== 3) return;
      renameSync(join(place.project, "a"), join(place.outside, "a"));
      symlinkSync(join(place.outside, "a"), join(place.project, "a"));
    };

    expect(await back(place, ["a/file"], { signal })).toEqual({
      copied: [],
      left: [{ path: "a/file", reason: "changed" }],
    });
    expect(await readdir(join(place.outside, "a"))).toEqual(["x"]);
  });

  it("is reported when the system does not let it be written", async () => {
    await asOrdinaryUser(async () => {
      await using place = await testPlace({ "a/x": "" });
      await fill(place.parent, { "a/file": "", "b/file": "" });
      await chmod(join(place.project, "a"), 0o500);
      const left = [{ path: "a/file", reason: "system", code: "EACCES" }];

      expect(await back(place, ["a/file", "b/file"])).toEqual({ copied: ["b/file"], left });
      await chmod(join(place.project, "a"), 0o700);
    });
  });
});

describe.skipIf(process.platform !== "linux")(
  "while another process swaps folders for links [held open on Linux]",
  () => {
    /**
     * Copies until something has landed and something was refused for one of `refusals`, and 50 times at least. On a busy machine
     * the other process may rest long.
     */
    async function often(
      place: TestPlace,
      files: readonly string[],
      refusals: readonly string[],
    ): Promise<ReadonlySet<string>> {
      const seen = new Set<string>();
      const isDone = () => seen.has("copied") && refusals.some((reason) => seen.has(reason));
      const givesUpAt = performance.now() + 25_000;
      for (let round = 0; round < 50 || !(isDone() || performance.now() > givesUpAt); round += 1) {
        const { copied, left } = await back(place, files);
        for (const { reason } of left) seen.add(reason);
        if (copied.length > 0) seen.add("copied");
      }
      expect(isDone(), [...seen].join()).toBe(true);
      return seen;
    }

    it("nothing from outside is taken", async () => {
      await using place = await testPlace();
      await fill(place.parent, { "a/canary": "mine" });
      await using _ = await swapper(join(place.parent, "a"), place.outside);
      const seen = await often(place, ["a/canary"], ["link", "changed"]);

      expect(await read(place.project, "a/canary")).toBe("mine");
      expect([...seen].filter((way) => !["copied", "link", "missing", "changed"].includes(way))).toEqual([]);
    });

    it("nothing outside is written", async () => {
      await using place = await testPlace({ "a/x": "" });
      await fill(place.parent, { "a/canary": "theirs", "a/b/new": "theirs" });
      await using _ = await swapper(join(place.project, "a"), place.outside);
      await often(place, ["a/canary", "a/b/new"], ["leads-out", "changed"]);

      expect(await read(place.outside, "canary")).toBe(canary);
      expect(await readdir(place.outside)).toEqual(["canary"]);
    });
  },
);
