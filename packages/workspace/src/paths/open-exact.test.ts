import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder } from "../test-context.js";
import { leadsTo, openExact, readFlags } from "./open-exact.js";
import { makeFolder, pinFolder } from "./pinned-folder.js";
import { type Root, rootFinder } from "./root.js";

// Both ways of asking where a handle is: the kernel's account, and identity where a system gives none.
describe.each(["by the kernel's account", "by identity"])("opening what was resolved, %s", (way) => {
  async function rootOf(path: string): Promise<Root> {
    const root = await rootFinder({ foldsCase: false })(path);
    return way === "by identity" ? { ...root, descriptors: undefined } : root;
  }

  it("opens a file that is where it should be", async () => {
    await using folder = await testFolder({ "src/a": "text" });
    const handle = await openExact(await rootOf(folder.root), join(folder.root, "src/a"), readFlags);
    expect(await handle?.readFile("utf8")).toBe("text");
    await handle?.close();
  });

  it("opens nothing through a link, be it the file or a folder above it", async () => {
    await using folder = await testFolder({ "src/a": "text" });
    await symlink("src", join(folder.root, "lib"));
    await symlink("src/a", join(folder.root, "b"));
    const root = await rootOf(folder.root);
    expect(await openExact(root, join(folder.root, "b"), readFlags)).toBeUndefined();
    expect(await openExact(root, join(folder.root, "lib/a"), readFlags)).toBeUndefined();
    expect(await pinFolder(root, join(folder.root, "lib"))).toBeUndefined();
  });

  it("sees that an open folder was moved away and another put in its place", async () => {
    await using folder = await testFolder({ "src/a": "text" });
    const pinned = await pinFolder(await rootOf(folder.root), join(folder.root, "src"));
    expect(await pinned?.isInPlace()).toBe(true);
    await rename(join(folder.root, "src"), join(folder.outside, "src"));
    expect(await pinned?.isInPlace()).toBe(false);
    await mkdir(join(folder.root, "src"));
    expect(await pinned?.isInPlace()).toBe(false);
    await pinned?.close();
  });

  it("makes folders below the root only", async () => {
    await using folder = await testFolder();
    const root = await rootOf(folder.root);
    const made = await makeFolder(root, join(folder.root, "a/b/c"));
    await writeFile(made?.at("file") ?? "", "x");
    await made?.close();
    await symlink("../outside", join(folder.root, "way-out"));
    expect(await makeFolder(root, join(folder.root, "way-out/d"))).toBeUndefined();
    const gone = { ...root, path: join(folder.root, "gone") };
    await expect(makeFolder(gone, gone.path)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

it("compares real paths without regard to case where the volume does", async () => {
  await using folder = await testFolder({ a: "" });
  const root = { ...(await rootFinder()(folder.root)), foldsCase: true };
  const handle = await openExact(root, join(folder.root, "a"), readFlags);
  if (!handle) throw new Error("The file was not opened.");
  const spelt = join(folder.root, "A");
  expect(await leadsTo(root, handle, spelt)).toBe(root.descriptors !== undefined);
  expect(await leadsTo({ ...root, foldsCase: false }, handle, spelt)).toBe(false);
  await handle.close();
});
