import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { ground } from "./test-ground.js";

describe("what a command may write", () => {
  it("is its workspace first, then its roots, then the caches that are there", async () => {
    using at = ground();
    const [root, cache] = [at.folder("root"), at.folder("cache")];
    const places = await at.places({ writableRoots: [root, at.at("absent")] }, { caches: [cache, at.at("none")] });
    expect([places.writable, places.warnings]).toEqual([[at.workspace, root, cache], []]);
  });

  it("is nothing in read-only, and there is nothing to protect then", async () => {
    using at = ground();
    at.folder("work/.vscode");
    const places = await at.places(
      { mode: "read-only", writableRoots: [at.folder("root")] },
      { caches: [at.folder("c")] },
    );
    expect([places.writable, places.protected, places.pinned, places.watched]).toEqual([[], [], [], []]);
  });

  it("is the resolved folder, also when the workspace is spelled through a link", async () => {
    using at = ground();
    const link = at.link("link", "work");
    expect((await at.places({ cwd: link, workspace: link })).writable).toEqual([at.workspace]);
  });

  it.each([
    ["the root of all", "/"],
    ["a folder above the workspace", "../"],
    ["the home", "../home"],
    ["the shared temporary folder", tmpdir()],
  ])("is not %s when a cache turns out to be a link to that, which is said", async (_, target) => {
    using at = ground();
    const { writable, warnings } = await at.places({}, { caches: [at.link("caches/npm", target)] });
    expect([writable, warnings]).toEqual([[at.workspace], [expect.stringContaining("wider than what was granted")]]);
  });

  it("is where a cache's link leads to when that is no wider", async () => {
    using at = ground();
    const [real, link] = [at.folder("volume/npm"), at.link("caches/npm", "../volume/npm")];
    expect((await at.places({}, { caches: [link] })).writable).toEqual([at.workspace, real]);
  });

  it("is the home when that was granted by name", async () => {
    using at = ground();
    const places = await at.places({ writableRoots: [at.home] });
    expect([places.writable, places.warnings]).toEqual([[at.workspace, at.home], []]);
  });

  it("does not go without a workspace", async () => {
    using at = ground();
    const places = at.places({ workspace: at.at("absent") });
    await expect(places).rejects.toMatchObject({ kind: "setup-failed", message: expect.stringContaining("absent") });
  });

  it.each([{ writableRoots: ["x"] }, { protectedPaths: ["x"] }, { hiddenPaths: ["x"] }])(
    "is not to be had with %o",
    async (given) => {
      using at = ground();
      await expect(at.places(given)).rejects.toMatchObject({
        kind: "setup-failed",
        message: expect.stringContaining("absolute"),
      });
    },
  );

  it("is not the workspace when a rule denies to write all of it", async () => {
    using at = ground();
    const root = at.folder("root");
    const places = await at.places({ writableRoots: [root], isDenied: (act) => act === "write" });
    expect([places.writable, places.protected]).toEqual([[root], []]);
  });
});
