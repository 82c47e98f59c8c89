import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeTree, removeTreeNow } from "./remove-tree.js";
import { asOrdinaryUser, canary, fill, isRoot, swapper, testPlace } from "./test-support.js";

const posix = describe.skipIf(process.platform === "win32");

posix("removing a folder [made with modes and links that Windows has not]", () => {
  it("copes with folders that may not be listed, entered or changed", async () => {
    await asOrdinaryUser(async () => {
      await using place = await testPlace({ "a/b/file": "", "c/file": "", "d/e/file": "", top: "" });
      for (const path of ["a/b", "a", "c", "d/e", "d"]) await chmod(join(place.project, path), 0);
      await chmod(place.project, 0o500);

      expect(await removeTree(place.project)).toBeUndefined();
      expect(existsSync(place.project)).toBe(false);
    });
  });

  it("removes links and not what they lead to", async () => {
    await using place = await testPlace({ "a/file": "" });
    for (const at of ["link", "a/link"]) await symlink(place.outside, join(place.project, at));
    await symlink(join(place.outside, "canary"), join(place.project, "a/file-link"));

    expect(await removeTree(place.project)).toBeUndefined();
    expect(await readFile(join(place.outside, "canary"), "utf8")).toBe(canary);
  });

  it("removes a link that was put in the folder's own place, and nothing else", async () => {
    await using place = await testPlace();
    await rm(place.project, { recursive: true });
    await symlink(place.outside, place.project);

    expect(await removeTree(place.project)).toBeUndefined();
    expect(existsSync(place.project)).toBe(false);
    expect(await readdir(place.outside)).toEqual(["canary"]);
  });

  it("removes what has a name that is no text, FIFOs, and a tree deeper than a path can be long", async () => {
    await using place = await testPlace();
    const latin = Buffer.concat([Buffer.from(`${place.project}/`), Buffer.from([0xe9, 0xff])]);
    await mkdir(latin);
    await writeFile(Buffer.concat([latin, Buffer.from("/"), Buffer.from([0xfe])]), "");
    execFileSync("mkfifo", [join(place.project, "fifo")]);
    const [inner, outer, name] = [join(place.parent, "inner"), join(place.parent, "outer"), "deep".repeat(50)];
    await mkdir(inner);
    for (let depth = 0; depth < 40; depth += 1) {
      await mkdir(outer);
      await rename(inner, join(outer, name));
      await rename(outer, inner);
    }
    await rename(inner, join(place.project, name));

    expect(removeTreeNow(place.project)).toBeUndefined();
    expect(existsSync(place.project)).toBe(false);
  });

  it("is content with a folder that is not there", async () => {
    await using place = await testPlace();
    expect(await removeTree(join(place.parent, "gone"))).toBeUndefined();
  });

  it("removes all that it can, and says what stopped it", async ({ skip }) => {
    if (!isRoot) skip("only root can make what another user cannot remove");
    let project = "";
    await using place = await asOrdinaryUser(() => testPlace({ "mine/file": "" }));
    project = place.project;
    await fill(project, { "theirs/file": "" });

    expect(await asOrdinaryUser(() => removeTree(project))).toBe("EACCES");
    expect(await readdir(project)).toHaveLength(1);
  });

  it("never follows a link that is put in a folder's place while it works", async () => {
    await using place = await testPlace();
    await using _ = await swapper(join(place.project, "a"), place.outside);
    for (let round = 0; round < 50; round += 1) {
      // Made elsewhere: the test must not write through the link itself.
      await fill(join(place.parent, "next"), { canary: "", "b/c/canary": "" });
      await mkdir(place.project, { recursive: true });
      await rename(join(place.parent, "next"), join(place.project, "a")).catch(() => {});
      await removeTree(place.project);
      await removeTree(join(place.parent, "next"));

      expect(await readFile(join(place.outside, "canary"), "utf8")).toBe(canary);
    }
  });
});
