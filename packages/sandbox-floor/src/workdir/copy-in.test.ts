import { execFileSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workdir } from "../index.js";
import { staysInside } from "./relative-path.js";
import { asOrdinaryUser, canary, fill, swapper, testPlace } from "./test-support.js";

const mode = (path: string) => lstatSync(path).mode & 0o7777;
const everything = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

describe("a working folder with a copy in it", () => {
  it("has the files and folders that are wanted, and looks into no other", async () => {
    await using place = await testPlace({ "src/a.ts": "a", "src/deep/b.ts": "b", "node_modules/m/index.js": "" });
    await mkdir(join(place.project, "empty"));
    const asked: string[] = [];
    const filter = (path: string) => {
      asked.push(path);
      return path !== "node_modules";
    };
    await using folder = await workdir({ parent: place.parent, from: place.project, filter });

    expect(folder.left).toEqual([]);
    expect(await everything(folder.path)).toEqual(["empty", "src", "src/a.ts", "src/deep", "src/deep/b.ts"]);
    expect(await readFile(join(folder.path, "src/deep/b.ts"), "utf8")).toBe("b");
    expect(asked.sort()).toEqual(["empty", "node_modules", "src", "src/a.ts", "src/deep", "src/deep/b.ts"]);
  });

  it.each([
    ["maxFiles", { maxFiles: 3 }, "there are more than 3 files and folders. Copy less, or raise maxFiles."],
    ["maxBytes", { maxBytes: 25 }, "there are more than 25 bytes. Copy less, or raise maxBytes."],
  ])("is not made when it would hold more than %s, and is made when it holds as much", async (name, limit, reason) => {
    await using place = await testPlace({ "a/b": "x".repeat(12), "c/d": "x".repeat(13) });
    const options = { parent: place.parent, from: place.project };
    const enough = { maxFiles: 4, maxBytes: 25 };
    await (await workdir({ ...options, ...enough })).remove();
    await fill(place.project, { "c/e": name === "maxBytes" ? "x" : "" });

    await expect(workdir({ ...options, ...limit })).rejects.toMatchObject({
      ...{ code: "sandbox-failed", kind: "setup-failed", message: expect.stringContaining(reason) },
    });
    expect(await readdir(place.parent)).toEqual([]);
  });

  it("is not made when the copying is cancelled, or the filter throws", async () => {
    await using place = await testPlace({ a: "", b: "", c: "" });
    const options = { parent: place.parent, from: place.project };
    const stop = new AbortController();
    const stopping = () => {
      stop.abort(new Error("stop"));
      return true;
    };
    await expect(workdir({ ...options, signal: stop.signal, filter: stopping })).rejects.toThrow("stop");
    const throwing = () => {
      throw new Error("the filter broke");
    };
    await expect(workdir({ ...options, filter: throwing })).rejects.toThrow("the filter broke");

    expect(await readdir(place.parent)).toEqual([]);
  });

  it("is not made in the folder that is to be copied", async () => {
    await using place = await testPlace({ "tmp/file": "" });
    const refused = { code: "config-invalid", path: ["parent"] };
    for (const parent of [place.project, join(place.project, "tmp")]) {
      await expect(workdir({ parent, from: place.project })).rejects.toMatchObject(refused);
    }
    await expect(workdir({ from: "src" })).rejects.toMatchObject({ code: "config-invalid", path: ["from"] });
    expect(await everything(place.project)).toEqual(["tmp", "tmp/file"]);
  });
});

describe.skipIf(process.platform === "win32")("a copy of what only POSIX has [modes, links, special files]", () => {
  it("keeps modes, without set-id bits, whatever the umask, and reads what only the owner may", async () => {
    await asOrdinaryUser(async () => {
      await using place = await testPlace({ run: "", "closed/file": "text", secret: "" });
      await chmod(join(place.project, "run"), 0o4777);
      await chmod(join(place.project, "secret"), 0o400);
      await chmod(join(place.project, "closed"), 0o500);
      await using folder = await workdir({ parent: place.parent, from: place.project });

      const modes = ["run", "secret", "closed"].map((name) => mode(join(folder.path, name)));
      expect(modes).toEqual([0o777, 0o400, 0o500]);
      expect(await readFile(join(folder.path, "closed/file"), "utf8")).toBe("text");
      expect(mode(folder.path)).toBe(0o700);
    });
  });

  it("has the links that cannot lead out, and reports the others", async () => {
    await using place = await testPlace({ "src/a": "a", "src/deep/b": "" });
    const links = {
      near: "src/a",
      "src/up": "../src/deep",
      "src/deep/later": "../../dist/later",
      out: "../outside/canary",
      "src/far": "../../outside",
      absolute: join(place.project, "src/a"),
      winding: "src/deep/../../../outside",
    };
    for (const [at, to] of Object.entries(links)) await symlink(to, join(place.project, at));
    await using folder = await workdir({ parent: place.parent, from: place.project });

    const left = ["absolute", "out", "src/far", "winding"];
    expect([...folder.left].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
      left.map((path) => ({ path, reason: "link" })),
    );
    for (const at of ["near", "src/up", "src/deep/later"] as const) {
      expect(await readlink(join(folder.path, at))).toBe(links[at]);
    }
    expect(await readFile(join(folder.path, "near"), "utf8")).toBe("a");
  });

  it("leaves out FIFOs, sockets, devices and names that are no text, without waiting for anyone", async () => {
    await using place = await testPlace({ file: "" });
    execFileSync("mkfifo", [join(place.project, "fifo")]);
    const server = createServer().listen(join(place.project, "socket"));
    await writeFile(Buffer.concat([Buffer.from(`${place.project}/`), Buffer.from([0xe9])]), "");
    await using folder = await workdir({ parent: place.parent, from: place.project });
    server.close();

    expect([...folder.left].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "fifo", reason: "not-a-file" },
      { path: "socket", reason: "not-a-file" },
      { path: "\ufffd", reason: "name" },
    ]);
    expect(await readdir(folder.path)).toEqual(["file"]);
  });

  it("leaves out what may not be read, and says how the system refused", async () => {
    await asOrdinaryUser(async () => {
      await using place = await testPlace({ "a/file": "", b: "", c: "" });
      await chmod(join(place.project, "a"), 0);
      await chmod(join(place.project, "b"), 0);
      await using folder = await workdir({ parent: place.parent, from: place.project });

      expect([...folder.left].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        { path: "a", reason: "system", code: "EACCES" },
        { path: "b", reason: "system", code: "EACCES" },
      ]);
      expect(await readdir(folder.path)).toEqual(["c"]);
    });
  });

  it("never holds what lies behind a link that is put in a folder's place meanwhile", async () => {
    await using place = await testPlace({ "a/canary": "mine", "a/b/file": "" });
    await using _ = await swapper(join(place.project, "a"), place.outside);
    const seen = new Set<string>();
    for (let round = 0; round < 50; round += 1) {
      await using folder = await workdir({ parent: place.parent, from: place.project });
      const copied = await readFile(join(folder.path, "a/canary"), "utf8").catch(() => "nothing");
      const moved = await readFile(join(folder.path, "a-real/canary"), "utf8").catch(() => "nothing");
      seen.add(copied).add(moved);
    }

    expect(seen).not.toContain(canary);
    expect(seen).toContain("mine");
  });
});

describe("a link", () => {
  it("stays inside when it climbs at its start only, and not above the top", () => {
    const inside = [
      ["a", 0],
      ["./a//b", 0],
      ["..", 1],
      ["../..", 2],
      ["../a", 1],
      [".", 0],
    ] as const;
    const outside = [
      ["", 0],
      ["/a", 3],
      ["..", 0],
      ["../../a", 1],
      ["a/..", 3],
      ["../a/../b", 3],
      ["C:a", 1],
    ] as const;

    expect(inside.map(([link, depth]) => staysInside(link, depth, false))).toEqual(inside.map(() => true));
    expect(outside.map(([link, depth]) => staysInside(link, depth, false))).toEqual(outside.map(() => false));
    expect(staysInside("a\\..\\..\\..", 1, true)).toBe(false);
  });
});
