import { utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listingMemory } from "./listings.js";
import { ground } from "./test-ground.js";

describe("a folder's listing", () => {
  it("is remembered as long as the folder has not changed", () => {
    using at = ground();
    at.file("work/a");
    at.folder("work/b");
    const memory = listingMemory(() => Date.now() + 60_000);
    const first = memory.look().of(at.workspace);
    expect(first).toEqual({ folders: ["b"], others: ["a"], odd: [] });
    expect(memory.look().of(at.workspace)).toBe(first);
  });

  it("is read again when something was put in, whatever the folder's times were set to", () => {
    using at = ground();
    const memory = listingMemory(() => Date.now() + 60_000);
    memory.look().of(at.workspace);
    at.file("work/new");
    utimesSync(at.workspace, 0, 0);
    expect(memory.look().of(at.workspace)).toMatchObject({ others: ["new"] });
  });

  it("is not relied on when the folder changed so shortly before that a change now could have the same time", () => {
    using at = ground();
    const memory = listingMemory(() => Date.now());
    const [before, after] = [memory.look(), memory.look()];
    expect(before.lacks(at.workspace, "new")).toBe(true);
    at.file("work/new");
    expect(after.lacks(at.workspace, "new")).toBe(false);
  });

  it("is the same throughout one look", () => {
    using at = ground();
    const look = listingMemory().look();
    const first = look.of(at.workspace);
    at.file("work/new");
    expect(look.of(at.workspace)).toBe(first);
  });

  it("tells what is lacking by the first part of a name, in any letters", () => {
    using at = ground();
    at.folder("work/.Config");
    const look = listingMemory().look();
    const lacks = (name: string) => look.lacks(at.workspace, name);
    expect([lacks(".config/fish"), lacks(".ssh/id"), look.lacks(at.at("absent"), "x")]).toEqual([false, true, false]);
  });

  it("is the system's code for what cannot be listed", () => {
    using at = ground();
    const look = listingMemory().look();
    at.file("work/file");
    at.link("work/link", "..");
    expect(["absent", "file", "link"].map((name) => look.of(at.at(`work/${name}`)))).toEqual([
      "ENOENT",
      "ENOTDIR",
      "ENOTDIR",
    ]);
  });
});
