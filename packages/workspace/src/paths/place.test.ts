import { link, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder } from "../test-context.js";
import { fileActs, grantedAct, resolver } from "./place.js";
import { rootFinder } from "./root.js";

const resolve = resolver(rootFinder({ foldsCase: false }));

describe("resolving a path", () => {
  it("gives a plain file one name", async () => {
    await using folder = await testFolder({ "src/a.ts": "" });
    const place = await resolve(folder.root, "read", "src/./a.ts");
    expect(place).toMatchObject({
      target: "src/a.ts",
      realTarget: "src/a.ts",
      absolute: join(folder.root, "src/a.ts"),
    });
    expect(fileActs("read", place)).toEqual([{ type: "read", target: "src/a.ts" }]);
  });

  it("gives a linked file both names to be judged by", async () => {
    await using folder = await testFolder({ "secrets/key": "k" });
    await symlink("secrets", join(folder.root, "open"));
    const place = await resolve(folder.root, "read", "open/key");
    expect(fileActs("read", place).map(({ target }) => target)).toEqual(["open/key", "secrets/key"]);
  });

  it("resolves the parents of a file that does not exist yet", async () => {
    await using folder = await testFolder({ "secrets/key": "k" });
    await symlink("secrets", join(folder.root, "open"));
    const place = await resolve(folder.root, "write", "open/new/dir/file");
    expect(place.realTarget).toBe("secrets/new/dir/file");
  });

  it("follows a link to a file that does not exist yet", async () => {
    await using folder = await testFolder();
    await symlink("later/file", join(folder.root, "soon"));
    expect((await resolve(folder.root, "write", "soon")).realTarget).toBe("later/file");
  });

  it("takes an absolute link that comes back into the workspace", async () => {
    await using folder = await testFolder({ "src/a.ts": "" });
    await symlink(join(folder.root, "src"), join(folder.root, "here"));
    expect((await resolve(folder.root, "read", "here/a.ts")).realTarget).toBe("src/a.ts");
  });

  it.each([
    ["a link out of the workspace", "outbox", "outbox"],
    ["a file behind it", "outbox/file", "outbox"],
    ["a new file in new folders behind it", "outbox/new/dir/file", "outbox"],
    ["a link to nothing outside", "dangling", "dangling"],
    ["a link to a link out", "src/relay/file", "src/relay"],
    ["a link to the folder above", "up/outside/file", "up"],
  ])("refuses %s and names the link", async (_what, path, link) => {
    await using folder = await testFolder({ "src/a.ts": "" });
    await symlink("../outside", join(folder.root, "outbox"));
    await symlink("../outside/nothing/here", join(folder.root, "dangling"));
    await symlink("../outbox", join(folder.root, "src/relay"));
    await symlink("..", join(folder.root, "up"));
    await expect(resolve(folder.root, "write", path)).rejects.toMatchObject({
      code: "act-refused",
      act: "write",
      target: path,
      reason: `it leaves the workspace through the link "${link}"`,
    });
  });

  it("refuses a sibling whose name begins like the root's", async () => {
    await using folder = await testFolder();
    await symlink(`${folder.root}-other/file`, join(folder.root, "sly"));
    await expect(resolve(folder.root, "read", "sly")).rejects.toMatchObject({ code: "act-refused" });
  });

  it("refuses circles of links, dangling ones included, instead of following them for ever", async () => {
    await using folder = await testFolder();
    await symlink("b", join(folder.root, "a"));
    await symlink("a", join(folder.root, "b"));
    await symlink("missing/../twice/missing/../twice", join(folder.root, "twice"));
    for (const path of ["a", "twice"]) {
      await expect(resolve(folder.root, "read", path)).rejects.toMatchObject({
        reason: "it goes round in a circle of links",
      });
    }
  });

  it("says that the workspace is missing, without its path", async () => {
    await using folder = await testFolder();
    const problem = await resolve(join(folder.root, "gone"), "read", "a").catch((error: unknown) => error);
    expect(problem).toMatchObject({ code: "tool-failed", message: expect.not.stringContaining(folder.root) });
  });
});

describe("what was granted", () => {
  const allow = { effect: "allow" } as const;

  it("covers a place only when both its names are among it, and neither was denied", async () => {
    await using folder = await testFolder({ "secrets/key": "k" });
    await symlink("secrets", join(folder.root, "open"));
    const place = await resolve(folder.root, "read", "open/key");
    const [name, realName] = fileActs("read", place);
    if (!name || !realName) throw new Error("A link has two names.");
    const both = [name, realName].map((act) => ({ act, verdict: allow }));
    expect(grantedAct("read", place, both)).toEqual(name);
    const refused = expect.objectContaining({ code: "act-refused", target: "open/key" });
    for (const granted of [
      [{ act: name, verdict: allow }],
      [{ act: realName, verdict: allow }],
      [
        { act: name, verdict: allow },
        { act: realName, verdict: { effect: "deny" as const } },
      ],
      both.map(({ act, verdict }) => ({ act: { ...act, type: "write" as const }, verdict })),
    ]) {
      expect(() => grantedAct("read", place, granted)).toThrow(refused);
    }
  });
});

describe("on a volume that folds case", () => {
  const folding = resolver(rootFinder({ foldsCase: true }));

  it("judges a file also by the name on the disk, and says that case does not count", async () => {
    await using folder = await testFolder({ "secrets/Key.txt": "k" });
    const place = await folding(folder.root, "read", "SECRETS/key.TXT");
    expect(fileActs("read", place)).toEqual([
      { type: "read", target: "SECRETS/key.TXT", foldsCase: true },
      { type: "read", target: "secrets/Key.txt", foldsCase: true },
    ]);
  });

  it("keeps the spelling of what does not exist yet", async () => {
    await using folder = await testFolder({ "Docs/a": "" });
    expect((await folding(folder.root, "write", "docs/New/File")).realTarget).toBe("Docs/New/File");
  });
});

describe("probing a root", () => {
  it("finds out how the file system takes names", async () => {
    await using folder = await testFolder({ "Probe.txt": "" });
    const folds = await stat(join(folder.root, "pROBE.TXT")).then(
      () => true,
      () => false,
    );
    expect(await rootFinder()(folder.root)).toMatchObject({ path: folder.root, foldsCase: folds });
  });

  it("is not fooled by two names of one file that differ in case only", async ({ skip }) => {
    await using folder = await testFolder({ "12/name": "" });
    await link(join(folder.root, "12/name"), join(folder.root, "12/NAME")).catch(() => skip("names fold case here"));
    expect((await rootFinder()(join(folder.root, "12"))).foldsCase).toBe(false);
  });
});
