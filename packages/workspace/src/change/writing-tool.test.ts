// What no write may do, whatever happens between its plan and its end. Through write_file, which adds least.
import { renameSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { actsOf, type Calling, call, type TestFolder, testFolder } from "../test-context.js";
import { editFileTool } from "../tools/edit-file.js";
import { writeFileTool } from "../tools/write-file.js";
import { isTemporary } from "./replace-file.js";

const tool = writeFileTool();
const args = { path: "src/a", content: "new" };

async function leftovers(folder: TestFolder): Promise<readonly string[]> {
  const names = [
    ...(await readdir(folder.root, { recursive: true })),
    ...(await readdir(folder.outside, { recursive: true })),
  ];
  return names.filter((name) => isTemporary(name.slice(name.lastIndexOf("/") + 1)));
}

describe("a write", () => {
  it("keeps what was there before it changes anything", async () => {
    await using folder = await testFolder({ "src/a": "old" });
    const kept: unknown[] = [];
    const keep: Calling["keep"] = async (path, bytes) => {
      kept.push([path, bytes && Buffer.from(bytes).toString(), await readFile(join(folder.root, "src/a"), "utf8")]);
    };
    await call(tool, args, { workspace: folder.root, keep });
    expect(kept).toEqual([["src/a", "old", "old"]]);
    await call(tool, { path: "new", content: "" }, { workspace: folder.root, keep });
    expect(kept[1]).toEqual(["new", null, "new"]);
  });

  it("does not happen when what was there could not be kept", async () => {
    await using folder = await testFolder({ "src/a": "old" });
    const keep = () => Promise.reject(new Error("no room"));
    await expect(call(tool, args, { workspace: folder.root, keep })).rejects.toThrow("no room");
    expect(await readFile(join(folder.root, "src/a"), "utf8")).toBe("old");
  });

  it.each(["after the plan", "at the last moment"])("leaves alone a file that someone changed %s", async (when) => {
    await using folder = await testFolder({ "src/a": "old", "src/b": "" });
    const change = () => writeFile(join(folder.root, "src/a"), "theirs");
    const racing = when === "after the plan" ? { meanwhile: change } : { keep: change };
    await expect(call(tool, args, { workspace: folder.root, ...racing })).rejects.toMatchObject({
      code: "tool-failed",
      message: expect.stringContaining("changed since it was looked at. Read it again"),
    });
    expect(await readFile(join(folder.root, "src/a"), "utf8")).toBe("theirs");
    expect(await leftovers(folder)).toEqual([]);
  });

  it.each(["after the plan", "at the last moment"])(
    "leaves alone a large file of which someone changed one byte %s",
    async (when) => {
      const old = Buffer.alloc(3_000_000, "old\n");
      const theirs = Buffer.from(old);
      theirs[2_999_990] = 0x21;
      await using folder = await testFolder({ "src/a": old });
      const change = () => writeFile(join(folder.root, "src/a"), theirs);
      const racing = when === "after the plan" ? { meanwhile: change } : { keep: change };
      await expect(call(tool, args, { workspace: folder.root, ...racing })).rejects.toThrow(/changed since/);
      expect((await readFile(join(folder.root, "src/a"))).equals(theirs)).toBe(true);
    },
  );

  it("is made as it was planned, also by one that did not plan it, and once", async () => {
    for (const old of [{ "src/a": "x\n" }, { "src/b": "" }]) {
      await using folder = await testFolder(old);
      const acts = await actsOf(tool, args, { workspace: folder.root });
      const granted = acts.map((act) => ({ act, verdict: { effect: "allow" as const } }));
      const again = () => call(writeFileTool(), args, { workspace: folder.root, granted });

      expect(await again()).toMatchObject({ changes: [{ path: "src/a", after: sha256("new") }] });
      expect(await readFile(join(folder.root, "src/a"), "utf8")).toBe("new");
      await expect(again()).rejects.toThrow(/changed since/);
    }
  });

  it("does not overwrite a file that appeared where there was none", async () => {
    await using folder = await testFolder({ "src/b": "" });
    const keep = () => writeFile(join(folder.root, "src/a"), "theirs");
    await expect(call(tool, args, { workspace: folder.root, keep })).rejects.toThrow(/changed since/);
    expect(await readFile(join(folder.root, "src/a"), "utf8")).toBe("theirs");
  });

  it.each(["outside", "inside"])("goes nowhere when its folder becomes a link to a folder %s", async (where) => {
    await using folder = await testFolder({ "src/a": "old", "secrets/a": "old" });
    const target = where === "outside" ? folder.outside : join(folder.root, "secrets");
    await writeFile(join(folder.outside, "a"), "old");
    const swap = async () => {
      await rename(join(folder.root, "src"), join(folder.root, "was-src"));
      await symlink(target, join(folder.root, "src"));
    };
    for (const racing of [{ meanwhile: swap }, { keep: swap }]) {
      await expect(call(tool, args, { workspace: folder.root, ...racing })).rejects.toMatchObject({
        code: "act-refused",
      });
      expect(await readFile(join(target, "a"), "utf8")).toBe("old");
      expect(await leftovers(folder)).toEqual([]);
      await rm(join(folder.root, "src"));
      await rename(join(folder.root, "was-src"), join(folder.root, "src"));
    }
  });

  it("notices a folder that moves away after the last look at the file", async () => {
    await using folder = await testFolder({ "src/a": "old" });
    const signal = new AbortController().signal;
    const keep = async () => {
      // The signal is asked once more, between that look and the change.
      signal.throwIfAborted = () => renameSync(join(folder.root, "src"), join(folder.outside, "src"));
    };
    await expect(call(tool, args, { workspace: folder.root, signal, keep })).rejects.toMatchObject({
      code: "act-refused",
    });
    expect(await readFile(join(folder.outside, "src/a"), "utf8")).toBe("old");
    expect(await leftovers(folder)).toEqual([]);
  });

  it("makes no folders behind a link that appears in its way", async () => {
    await using folder = await testFolder();
    const swap = () => symlink("../outside", join(folder.root, "new"));
    const racing = { path: "new/deep/file", content: "x" };
    for (const hook of [{ meanwhile: swap }, { keep: swap }]) {
      await expect(call(tool, racing, { workspace: folder.root, ...hook })).rejects.toMatchObject({
        code: "act-refused",
      });
      expect(await readdir(folder.outside)).toEqual([]);
      await rm(join(folder.root, "new"));
    }
  });

  it("does not replace a link that was put where the file was", async () => {
    await using folder = await testFolder({ "src/a": "old", victim: "old" });
    const swap = async () => {
      await rm(join(folder.root, "src/a"));
      await symlink("../victim", join(folder.root, "src/a"));
    };
    await expect(call(tool, args, { workspace: folder.root, keep: swap })).rejects.toMatchObject({
      code: "act-refused",
    });
    expect(await readFile(join(folder.root, "victim"), "utf8")).toBe("old");
  });

  it("leaves a write-protected file alone", async () => {
    await using folder = await testFolder({ "src/a": "old" });
    await chmod(join(folder.root, "src/a"), 0o444);
    await expect(call(tool, args, { workspace: folder.root })).rejects.toThrow(/it is write-protected/);
    expect(await readFile(join(folder.root, "src/a"), "utf8")).toBe("old");
  });

  it("leaves nothing behind when the system refuses", async () => {
    await using folder = await testFolder({ "src/b": "" });
    const keep = () => mkdir(join(folder.root, "src/a"));
    await expect(call(tool, args, { workspace: folder.root, keep })).rejects.toMatchObject({ code: "tool-failed" });
    expect(await leftovers(folder)).toEqual([]);
  });

  it("stops before the change when the call is cancelled", async () => {
    await using folder = await testFolder({ "src/a": "old" });
    const stop = new AbortController();
    const keep = async () => stop.abort(new Error("stop"));
    await expect(call(tool, args, { workspace: folder.root, signal: stop.signal, keep })).rejects.toThrow("stop");
    expect(await readFile(join(folder.root, "src/a"), "utf8")).toBe("old");
    expect(await leftovers(folder)).toEqual([]);
  });

  it("is refused without a grant, and with one for other content", async () => {
    await using folder = await testFolder({ "src/a": "old" });
    const other = await actsOf(tool, { ...args, content: "other" }, { workspace: folder.root });
    const grants = [[], other.map((act) => ({ act, verdict: { effect: "allow" as const } }))];
    for (const granted of grants) {
      const refused = call(tool, args, { workspace: folder.root, granted });
      await expect(refused).rejects.toMatchObject({ code: "act-refused", act: "write", target: "src/a" });
    }
    expect(await readFile(join(folder.root, "src/a"), "utf8")).toBe("old");
  });

  it("shows readers the old file or the new one and never a part", async () => {
    const [old, fresh] = ["o".repeat(300_000), "n".repeat(400_000)];
    await using folder = await testFolder({ "src/a": old });
    let running = true;
    const writing = call(tool, { path: "src/a", content: fresh }, { workspace: folder.root }).finally(() => {
      running = false;
    });
    const seen = new Set<string>();
    while (running) seen.add(await readFile(join(folder.root, "src/a"), "utf8"));
    seen.add(await readFile(join(folder.root, "src/a"), "utf8"));
    await writing;
    expect([...seen].every((text) => text === old || text === fresh)).toBe(true);
    expect(seen).toContain(fresh);
  });

  it("is judged before anything is told of the file: what cannot be done is said only when it is made", async () => {
    await using folder = await testFolder({ "src/a": "x x x" });
    const edit = { path: "src/a", search: "x", replace: "y" };
    expect(await actsOf(editFileTool(), edit, { workspace: folder.root })).toEqual([
      { type: "write", target: "src/a", before: sha256("x x x") },
    ]);
    const folderWrite = await actsOf(tool, { path: "src", content: "" }, { workspace: folder.root });
    expect(folderWrite).toEqual([{ type: "write", target: "src" }]);
  });
});
