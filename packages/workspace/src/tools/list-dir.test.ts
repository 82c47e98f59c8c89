import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actsOf, call, testFolder } from "../test-context.js";
import { listDirTool } from "./list-dir.js";

const tool = listDirTool();

describe("list_dir", () => {
  it("lists one level of the root: folders, sizes of files, links unfollowed", async () => {
    await using folder = await testFolder({ "b.txt": "12345", "a/deep/x": "", ".env": "", "node_modules/m/i.js": "" });
    await symlink("/etc", join(folder.root, "link"));
    await writeFile(join(folder.root, ".harness-0123456789abcdef.tmp"), "left by a crash");
    const { text } = await call(tool, {}, { workspace: folder.root });
    expect(text).toBe(".: 5 entries\n  .env  0 bytes\n  a/\n  b.txt  5 bytes\n  link  (link)\n  node_modules/");
  });

  it("lists a folder by any spelling and asks to read it", async () => {
    await using folder = await testFolder({ "src/lib/a": "" });
    const args = { path: "./src/../src/" };
    expect(await actsOf(tool, args, { workspace: folder.root })).toEqual([{ type: "read", target: "src" }]);
    expect(await actsOf(tool, { path: "" }, { workspace: folder.root })).toEqual([{ type: "read", target: "." }]);
    expect((await call(tool, args, { workspace: folder.root })).text).toBe("src: 1 entry\n  lib/");
  });

  it("shows the first 200 and how many there are", async () => {
    const names = Array.from({ length: 230 }, (_, index) => `f${String(index).padStart(3, "0")}`);
    await using folder = await testFolder(Object.fromEntries(names.map((name) => [name, ""])));
    const lines = (await call(tool, {}, { workspace: folder.root })).text.split("\n");
    expect(lines[0]).toBe(".: 230 entries, the first 200 are");
    expect(lines.slice(1)).toEqual(names.slice(0, 200).map((name) => `  ${name}  0 bytes`));
  });

  it("counts what the policy hides and does not name it", async () => {
    await using folder = await testFolder({ "secrets/a": "", "secrets/b": "", "secrets/c": "" });
    const visible = (path: string) => path === "secrets/b";
    const { text } = await call(tool, { path: "secrets" }, { workspace: folder.root, visible });
    expect(text).toBe("secrets: 1 entry\n  b  0 bytes\n(2 entries the policy hides were left out)");
  });

  it("hides behind a link what is hidden under its own name", async () => {
    await using folder = await testFolder({ "secrets/key": "", "secrets/open": "" });
    await symlink("secrets", join(folder.root, "link"));
    const visible = (path: string) => path !== "secrets/key";
    const { text } = await call(tool, { path: "link" }, { workspace: folder.root, visible });
    expect(text).toBe("link: 1 entry\n  open  0 bytes\n(1 entry the policy hides was left out)");
  });

  it("says why it cannot list", async () => {
    await using folder = await testFolder({ file: "" });
    const message = async (path: string) =>
      (await call(tool, { path }, { workspace: folder.root }).catch((e) => e)).message;
    expect(await message("nope")).toBe(
      'Could not list "nope": there is no such file or folder. Look with list_dir or find.',
    );
    expect(await message("file")).toMatch(/^Could not list "file": it, or a part of its path, is a file/);
  });

  it("refuses a folder outside, through a link or by dots", async () => {
    await using folder = await testFolder();
    await symlink("../outside", join(folder.root, "outbox"));
    for (const path of ["outbox", "..", "/"]) {
      const listing = call(tool, { path }, { workspace: folder.root });
      await expect(listing).rejects.toMatchObject({ code: "act-refused", act: "read" });
    }
  });
});
