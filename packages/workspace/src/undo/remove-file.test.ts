// The one thing of an undoing that cannot be taken back: it removes what it was shown and nothing else, whatever happens meanwhile.
import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isHarnessError } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { type FoundFile, findFile } from "../paths/found-file.js";
import { resolver } from "../paths/place.js";
import { rootFinder } from "../paths/root.js";
import { startSwapper } from "../paths/swapper.test-support.js";
import { testFolder } from "../test-context.js";
import { removeFile } from "./remove-file.js";

const resolve = resolver(rootFinder());

async function found(root: string, path: string) {
  const place = await resolve(root, "write", path);
  return { place, file: (await findFile("write", place)) as FoundFile };
}

describe("removeFile", () => {
  it("leaves a file that changed since it was looked at", async () => {
    await using folder = await testFolder({ a: "one\n" });
    const { place, file } = await found(folder.root, "a");
    await writeFile(join(folder.root, "a"), "two\n");

    await expect(removeFile(place, file, undefined)).rejects.toMatchObject({ code: "tool-failed" });
    expect(await readFile(join(folder.root, "a"), "utf8")).toBe("two\n");
  });

  it("removes an empty file and leaves its folder", async () => {
    await using folder = await testFolder({ "src/a": "" });
    const { place, file } = await found(folder.root, "src/a");

    await removeFile(place, file, undefined);

    expect(await readdir(join(folder.root, "src"))).toEqual([]);
  });

  it("does not follow a folder that was exchanged for a link", async () => {
    await using folder = await testFolder({ "src/a": "one\n" });
    const { place, file } = await found(folder.root, "src/a");
    await rename(join(folder.root, "src"), join(folder.root, "away"));
    await writeFile(join(folder.outside, "a"), "one\n");
    await symlink(folder.outside, join(folder.root, "src"));

    await expect(removeFile(place, file, undefined)).rejects.toMatchObject({ code: "act-refused" });
    expect(await readFile(join(folder.outside, "a"), "utf8")).toBe("one\n");
  });

  it("removes nothing outside while another process exchanges the folder for a link and back", async () => {
    await using folder = await testFolder({ "src/a": "one\n" });
    await mkdir(join(folder.outside, "src"));
    await writeFile(join(folder.outside, "a"), "one\n");
    await using _swapper = await startSwapper([{ path: join(folder.root, "src"), target: folder.outside }]);
    let tried = 0;
    let removed = 0;
    for (let round = 0; round < 2_000 && removed < 10; round += 1) {
      try {
        const { place, file } = await found(folder.root, "src/a");
        if (!file) await writeFile(place.absolute, "one\n");
        else {
          tried += 1;
          await removeFile(place, file, undefined);
          removed += 1;
        }
      } catch (error) {
        // Where nothing is for a moment, the system says so; everything else is one of ours.
        if (!isHarnessError(error)) expect((error as { code?: string }).code).toBe("ENOENT");
      }
      expect(await readdir(folder.outside)).toContain("a");
    }
    // How many succeed is up to the other process; that it can be done at all is shown above.
    expect(tried).toBeGreaterThan(0);
  });
});
