import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fakeClock } from "@harness/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { floor, type WorkdirWarning, workdir } from "../index.js";
import { namePrefix, thisOwner } from "../owner/owner.js";
import { asOrdinaryUser, canary, fill, isRoot, testPlace } from "./test-support.js";

afterEach(() => vi.unstubAllEnvs());

const mode = (path: string) => lstatSync(path).mode & 0o777;
const isPosix = process.platform !== "win32";
const refused = (reason: string) => ({
  ...{ code: "sandbox-failed", kind: "setup-failed", message: expect.stringContaining(reason) },
});

describe("a working folder", () => {
  it("is new, empty and private, and gone when it is disposed of", async () => {
    await using place = await testPlace();
    let path = "";
    {
      await using folder = await workdir({ parent: place.parent });
      path = folder.path;
      await using other = await workdir({ parent: place.parent });

      expect(dirname(path)).toBe(place.parent);
      expect(other.path).not.toBe(path);
      expect(await readdir(path)).toEqual([]);
      if (isPosix) expect(mode(path)).toBe(0o700);
      await fill(path, { "a/b/c": "built" });
    }
    expect(await readdir(place.parent)).toEqual([]);
  });

  it("is gone after an exception", async () => {
    await using place = await testPlace();
    const failing = async () => {
      await using folder = await workdir({ parent: place.parent });
      await fill(folder.path, { file: "" });
      throw new Error("the build broke");
    };

    await expect(failing()).rejects.toThrow("the build broke");
    expect(await readdir(place.parent)).toEqual([]);
  });

  it("may be removed twice, and by two at once", async () => {
    await using place = await testPlace();
    await using folder = await workdir({ parent: place.parent });
    await fill(folder.path, { "a/file": "" });

    expect(await Promise.all([folder.remove(), folder.remove()])).toEqual([undefined, undefined]);
    expect(await folder.remove()).toBeUndefined();
    expect(await readdir(place.parent)).toEqual([]);
  });

  it("is removed when this process exits, after the commands that could still write to it", async () => {
    await using place = await testPlace();
    // What is there for all commands has a listener of its own.
    await floor().run({ argv: [process.execPath, "--version"], cwd: place.parent });
    const before = process.listeners("exit");
    const added = () => process.listeners("exit").filter((listener) => !before.includes(listener));
    const folder = await workdir({ parent: place.parent });
    const source = `const { writeFileSync } = require("fs");
      for (let i = 0; ; i += 1) { writeFileSync("file" + i, ""); if (i === 10) console.log("up"); }`;
    const running = await floor().spawn({ argv: [process.execPath, "-e", source], cwd: folder.path });
    await vi.waitUntil(() => running.take().stdout.text.includes("up"), 20_000);
    for (const listener of added()) listener.call(process, 0);

    expect(existsSync(folder.path)).toBe(false);
    await running.outcome;
    await folder.remove();
    expect(added()).toEqual([]);
  });

  it.each([
    ["relative", "relative/folder"],
    ["not there", "/no/such/folder"],
    ["a file", import.meta.filename],
    ["no path", "/\0"],
  ])("is not made in a parent that is %s", async (_, parent) => {
    const refused = { code: "config-invalid", path: ["parent"], message: expect.stringContaining("Give an absolute") };
    await expect(workdir({ parent })).rejects.toMatchObject(refused);
  });

  it("is not made for what was cancelled before", async () => {
    await using place = await testPlace();
    const signal = AbortSignal.abort(new Error("stop"));

    await expect(workdir({ parent: place.parent, signal })).rejects.toThrow("stop");
    expect(await readdir(place.parent)).toEqual([]);
  });
});

describe.skipIf(!isPosix)("the folder that working folders are in [Windows has one for each user]", () => {
  async function inTemporary<Value>(temporary: string, work: (own: string) => Promise<Value>): Promise<Value> {
    vi.stubEnv("TMPDIR", temporary);
    return work(join(temporary, `harness-${process.geteuid?.()}`));
  }

  it("is the user's own below the temporary one, and made when it is missing", async () => {
    await using place = await testPlace();
    await inTemporary(place.parent, async (own) => {
      await using first = await workdir();
      await using second = await workdir();

      expect([dirname(first.path), dirname(second.path)]).toEqual([own, own]);
      expect(mode(own)).toBe(0o700);
    });
  });

  it("is closed to others when it was open", async () => {
    await using place = await testPlace();
    await inTemporary(place.parent, async (own) => {
      mkdirSync(own);
      chmodSync(own, 0o777);
      await using _ = await workdir();

      expect(mode(own)).toBe(0o700);
    });
  });

  it("is refused when it is a link, or a file", async () => {
    await using place = await testPlace();
    await inTemporary(place.parent, async (own) => {
      symlinkSync(place.outside, own);
      await expect(workdir()).rejects.toMatchObject(refused("it is a link or a file"));
      await rm(own);
      await writeFile(own, "");
      await expect(workdir()).rejects.toMatchObject(refused("it is a link or a file"));

      expect(await readdir(place.outside)).toEqual(["canary"]);
    });
  });

  it.skipIf(!isRoot)("is refused when it is someone else's [only root can give one away]", async () => {
    await using place = await testPlace();
    await inTemporary(place.parent, async (own) => {
      mkdirSync(own);
      chownSync(own, 1234, 1234);

      await expect(workdir()).rejects.toMatchObject(refused("it belongs to another user"));
      expect(await readdir(own)).toEqual([]);
    });
  });
});

describe("a working folder that cannot be removed", () => {
  /** Something of root's in a folder of nobody's. */
  async function stuck(work: (path: string, own: Awaited<ReturnType<typeof workdir>>) => Promise<void>) {
    const clock = fakeClock(0, { autoAdvance: true });
    const warnings: WorkdirWarning[] = [];
    const onWarning = (warning: WorkdirWarning) => {
      warnings.push(warning);
      throw new Error("not interested");
    };
    await using place = await asOrdinaryUser(() => testPlace());
    const folder = await asOrdinaryUser(() => workdir({ parent: place.parent, onWarning, clock }));
    await fill(folder.path, { "theirs/file": "" });
    await work(join(folder.path, "theirs"), folder);
    await folder.remove();
    return { path: folder.path, warnings, slept: clock.slept };
  }

  it.skipIf(!isRoot)("is tried a few times, and then it is a warning [only root can set it up]", async () => {
    const seen = await stuck(async (_, folder) => {
      await asOrdinaryUser(async () => {
        expect(await folder.remove()).toEqual({ path: folder.path, code: "EACCES" });
        await folder[Symbol.asyncDispose]();
      });
    });

    const warning = { path: seen.path, code: "EACCES" };
    expect(seen.warnings).toEqual([warning, warning]);
    expect(seen.slept).toEqual([20, 80, 200, 500, 20, 80, 200, 500]);
    expect(existsSync(seen.path)).toBe(false);
  });
});

it.skipIf(!isRoot)(
  "a working folder is removed as soon as nobody holds it any more [only root can set it up]",
  async () => {
    await using place = await asOrdinaryUser(() => testPlace());
    await asOrdinaryUser(async () => {
      const asRoot = async (work: () => Promise<unknown>) => {
        process.seteuid?.(0);
        await work();
        process.seteuid?.(65_534);
      };
      const letGo = async () => {
        for (const name of await readdir(folder.path)) await rm(join(folder.path, name), { recursive: true });
      };
      const clock = { ...fakeClock(), sleep: () => asRoot(letGo) };
      const folder = await workdir({ parent: place.parent, clock });
      await asRoot(() => fill(folder.path, { "theirs/file": "" }));

      expect(await folder.remove()).toBeUndefined();
      expect(existsSync(folder.path)).toBe(false);
    });
  },
);

describe("working folders of processes that are gone", () => {
  const leftBy = (pid: number) => `${namePrefix({ ...thisOwner(), pid })}abcdef`;
  const nobody = 2 ** 22 + 1;

  it("are removed by the next that makes one, several at once included", async () => {
    await using place = await testPlace();
    for (let count = 0; count < 20; count += 1) {
      const folder = leftBy(nobody).replace("abcdef", `abcd${count + 10}`);
      await fill(join(place.parent, folder), { "a/b/c": "", "a/d": "" });
    }
    const made = await Promise.all(Array.from({ length: 5 }, () => workdir({ parent: place.parent })));

    expect((await readdir(place.parent)).sort()).toEqual(made.map(({ path }) => path.split("/").at(-1)).sort());
    await Promise.all(made.map((folder) => folder.remove()));
  });

  it("are left alone when they are not: others' names, links, and other users' folders", async () => {
    await using place = await testPlace();
    await fill(place.parent, { "w-notes/file": "", [leftBy(process.pid).replace("abcdef", "ghijkl")]: "a file" });
    await symlink(place.outside, join(place.parent, leftBy(nobody)));
    const others = join(place.parent, leftBy(nobody).replace("abcdef", "mnopqr"));
    await mkdir(others);
    if (isRoot) chownSync(others, 1234, 1234);
    else await rm(others, { recursive: true });
    const before = await readdir(place.parent);
    await using folder = await workdir({ parent: place.parent });
    await folder.remove();

    expect(await readdir(place.parent)).toEqual(before);
    expect(await readFile(join(place.outside, "canary"), "utf8")).toBe(canary);
  });

  it.skipIf(!isRoot)("are a warning when they cannot be removed [only root can set it up]", async () => {
    await using place = await asOrdinaryUser(() => testPlace());
    const path = join(place.parent, leftBy(nobody));
    await asOrdinaryUser(() => mkdir(path));
    await fill(path, { "theirs/file": "" });
    const onWarning = vi.fn();
    await asOrdinaryUser(async () => {
      await using _ = await workdir({ parent: place.parent, onWarning });
    });

    expect(onWarning.mock.calls).toEqual([[{ path, code: "EACCES" }]]);
  });

  it.skipIf(!isPosix)("are not looked for in a parent that may not be listed [Windows has no such mode]", async () => {
    await asOrdinaryUser(async () => {
      await using place = await testPlace();
      await chmod(place.parent, 0o300);
      await using folder = await workdir({ parent: place.parent });

      await writeFile(join(folder.path, "file"), "");
      expect(await folder.remove()).toBeUndefined();
    });
  });
});
