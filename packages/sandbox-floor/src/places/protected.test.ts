import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { denies, type Ground, ground } from "./test-ground.js";

/** The least that makes a folder a repository's own. */
function repository(at: Ground, path: string): void {
  at.file(`${path}/HEAD`, "ref: refs/heads/main\n");
  at.file(`${path}/config`, "[core]\n");
  at.file(`${path}/hooks/pre-commit.sample`);
}

describe("protected in a workspace", () => {
  it("is what editors, shells and agents obey, and the folders above stay where they are", async () => {
    using at = ground();
    for (const path of [
      ".vscode/tasks.json",
      ".idea/x",
      ".claude/settings.json",
      ".bashrc",
      ".mcp.json",
      ".npmrc",
      "AGENTS.md",
    ])
      at.file(`work/${path}`);
    repository(at, "work/.git");
    const places = await at.places();
    expect(at.names(places.protected)).toEqual(
      [".bashrc", ".claude", ".git/config", ".git/hooks", ".idea", ".mcp.json", ".npmrc", ".vscode"].map(
        (n) => `work/${n}`,
      ),
    );
    expect(at.names(places.pinned)).toEqual(["work/.git"]);
  });

  it("is also what packages and repositories three folders down have, but not deeper, and not what was installed", async () => {
    using at = ground();
    for (const folder of ["a", "a/b/c", "a/b/c/d", "node_modules/x"]) {
      at.file(`work/${folder}/.vscode/tasks.json`);
      repository(at, `work/${folder}/.git`);
    }
    const { protected: guarded, pinned } = await at.places();
    expect(at.names(guarded)).toEqual([
      ...["work/a/.git/config", "work/a/.git/hooks", "work/a/.vscode"],
      ...["work/a/b/c/.git/config", "work/a/b/c/.git/hooks", "work/a/b/c/.vscode"],
    ]);
    expect(at.names(pinned)).toEqual(["work/a", "work/a/.git", "work/a/b", "work/a/b/c", "work/a/b/c/.git"]);
  });

  it("is what submodules obey, and what leads to worktrees elsewhere", async () => {
    using at = ground();
    repository(at, "work/.git");
    repository(at, "work/.git/modules/libs/one");
    at.file("work/.git/worktrees/side/commondir", "../..\n");
    at.file("work/.git/worktrees/side/gitdir", "/elsewhere/.git\n");
    expect(at.names((await at.places()).protected)).toEqual([
      ...["work/.git/config", "work/.git/hooks"],
      ...["work/.git/modules/libs/one/config", "work/.git/modules/libs/one/hooks"],
      ...["work/.git/worktrees/side/commondir", "work/.git/worktrees/side/gitdir"],
    ]);
  });

  it("is a .git file, and the folder behind it as far as that can be written", async () => {
    using at = ground();
    repository(at, "main/.git");
    at.file("main/.git/worktrees/work/commondir", "../..\n");
    at.file("work/.git", `gitdir: ${at.at("main/.git/worktrees/work")}\n`);
    expect(at.names((await at.places()).protected)).toEqual(["work/.git"]);
    expect(at.names((await at.places({ writableRoots: [at.at("main")] })).protected)).toEqual([
      ...["main/.git/config", "main/.git/hooks", "main/.git/worktrees/work/commondir", "work/.git"],
    ]);
  });

  it("is a start-up file in the home when a folder above the home is granted", async () => {
    using at = ground();
    at.file("home/.bashrc");
    at.file("home/.config/fish/config.fish");
    expect((await at.places()).protected).toEqual([]);
    const above = await at.places({ writableRoots: [at.base] });
    expect(at.names(above.protected)).toEqual(["home/.bashrc", "home/.config/fish"]);
    expect(at.names(above.watched)).toContain("home/.zshrc");
  });

  it("is what the command lists and what the options list, there or not", async () => {
    using at = ground();
    const [file, folder] = [at.file("work/src/secret.ts"), at.folder("work/ci")];
    const places = await at.places(
      { protectedPaths: [file, at.at("work/new")] },
      { protected: [folder, at.at("home/x")] },
    );
    expect(at.names(places.protected)).toEqual(["work/ci", "work/src/secret.ts"]);
    expect(at.names(places.watched).filter((name) => /new|home/.test(name))).toEqual(["work/new"]);
    expect(at.names(places.pinned)).toEqual(["work/src"]);
  });

  it("is what a rule denies to write: a file anywhere, a folder as a whole", async () => {
    using at = ground();
    for (const path of ["a/b/c/d/e.lock", "a/b/free.ts", "gen/x/one.ts", "gen/two.ts", "node_modules/p/q.lock"])
      at.file(`work/${path}`);
    const { protected: guarded, hidden } = await at.places({ isDenied: denies(/\.lock$|^gen\//, "write") });
    expect([at.names(guarded), hidden]).toEqual([["work/a/b/c/d/e.lock", "work/gen"], []]);
  });

  it("is not what except takes out, by name, with what is in it, or by path", async () => {
    using at = ground();
    repository(at, "work/.git");
    for (const path of [".vscode/x", "a/.vscode/x", "a/.idea/x"]) at.file(`work/${path}`);
    const guarded = async (except: readonly string[]) => at.names((await at.places({}, { except })).protected);
    expect(await guarded([".git/hooks", at.at("work/a/.vscode")])).toEqual([
      "work/.git/config",
      "work/.vscode",
      "work/a/.idea",
    ]);
    expect(await guarded([".git", ".vscode"])).toEqual(["work/a/.idea"]);
  });

  it("is not looked for in a cache", async () => {
    using at = ground();
    at.file("cache/checkout/.git/hooks/x");
    expect((await at.places({}, { caches: [at.at("cache")] })).protected).toEqual([]);
  });

  it("lets a name in other letters pass only where the volume does not take it for the same", async () => {
    using at = ground();
    at.file("work/sub/.VSCode/tasks.json");
    expect(at.names((await at.places()).protected)).toEqual(["work/sub/.VSCode"]);
  });
});

describe.skipIf(process.platform === "win32")(
  "odd things with a protected name [where there are links and FIFOs]",
  () => {
    it("are protected where they really are, and watched by name when they are links", async () => {
      using at = ground();
      at.file("work/common/hooks/pre-commit");
      at.file("work/.git/config");
      at.link("work/.git/hooks", "../common/hooks");
      at.link("work/.vscode", at.folder("outside/settings"));
      const places = await at.places();
      expect(at.names(places.protected)).toEqual(["work/.git/config", "work/common/hooks"]);
      expect(at.names(places.watched)).toEqual(expect.arrayContaining(["work/.git/hooks", "work/.vscode"]));
      expect(at.names(places.pinned)).toEqual(["work/.git", "work/common"]);
    });

    it("have the first missing name watched when they lead nowhere", async () => {
      using at = ground();
      at.folder("work/a");
      at.link("work/.idea", "a/b/c");
      at.link("work/.claude", "loop");
      at.link("work/loop", ".claude");
      const watched = at.names((await at.places()).watched);
      expect(watched).toEqual(expect.arrayContaining(["work/.idea", "work/a/b", "work/.claude"]));
      expect(watched).not.toContain("work/a/b/c");
    });

    it("may be FIFOs, have spaces and line breaks in their path, or not be readable", async () => {
      using at = ground();
      at.folder("work/.git");
      execFileSync("mkfifo", [at.at("work/.git/hooks")]);
      at.file("work/a b\nc/.vscode/x");
      execFileSync("chmod", ["000", at.folder("work/closed")]);
      expect(at.names((await at.places()).protected)).toEqual(["work/.git/hooks", "work/a b\nc/.vscode"]);
    });

    it("may be a .git that is a link to a repository, which stays writable but for what git obeys", async () => {
      using at = ground();
      repository(at, "work/store");
      at.link("work/.git", "store");
      const places = await at.places();
      expect(at.names(places.protected)).toEqual(["work/store/config", "work/store/hooks"]);
      expect(at.names(places.watched)).toContain("work/.git");
    });
  },
);
