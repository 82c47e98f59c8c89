import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { ground } from "./test-ground.js";

const hasGit = isThere("git");
const skipsWithoutGit = describe.skipIf(!hasGit);

describe("after a command", () => {
  it("what came into being under a protected name is removed with all that is in it, and told", async () => {
    using at = ground();
    at.file("work/.git/config");
    const { undo } = await at.places();
    at.file("work/.vscode/deep/tasks.json");
    at.file("work/.npmrc");
    at.file("work/.git/hooks/pre-commit");
    at.file("work/src/kept.ts");
    const { undone = [], warnings } = await undo();
    expect([at.names(undone), warnings]).toEqual([["work/.git/hooks", "work/.npmrc", "work/.vscode"], []]);
    expect([".vscode", ".npmrc", ".git/hooks", "src/kept.ts"].map((name) => existsSync(at.at(`work/${name}`)))).toEqual(
      [...[false, false, false, true]],
    );
  });

  it("what was there before stays, and the second call says what the first one said", async () => {
    using at = ground();
    const file = at.file("work/.vscode/settings.json");
    const { undo } = await at.places();
    at.file("work/.idea");
    const first = await undo();
    at.file("work/.idea");
    expect([await undo(), existsSync(file), existsSync(at.at("work/.idea"))]).toEqual([first, true, true]);
  });

  it("a name that is not protected is looked for by nobody", async () => {
    using at = ground();
    const { undo } = await at.places({}, { except: [".vscode"] });
    const file = at.file("work/.vscode/settings.json");
    expect([(await undo()).undone, existsSync(file)]).toEqual([[], true]);
  });
});

describe.skipIf(process.platform === "win32")("links [where there are links]", () => {
  it("are removed themselves, not what they lead to", async () => {
    using at = ground();
    const outside = at.file("outside/file");
    const { undo } = await at.places();
    at.link("work/.vscode", at.at("outside"));
    expect(at.names((await undo()).undone ?? [])).toEqual(["work/.vscode"]);
    expect([existsSync(outside), existsSync(at.at("work/.vscode"))]).toEqual([true, false]);
  });

  it("in the place of a folder that was missing on the way are what is removed", async () => {
    using at = ground();
    at.file("work/.git/config");
    const outside = at.file("outside/attributes");
    const { undo } = await at.places();
    at.link("work/.git/info", at.at("outside"));
    expect(at.names((await undo()).undone ?? [])).toEqual(["work/.git/info"]);
    expect([existsSync(outside), existsSync(at.at("work/.git/info"))]).toEqual([true, false]);
  });

  it("in the place of a folder that was there are not followed, which is said", async () => {
    using at = ground();
    at.file("work/.git/config");
    const outside = at.file("outside/hooks/x");
    const { undo } = await at.places();
    renameSync(at.at("work/.git"), at.at("work/moved"));
    at.link("work/.git", at.at("outside"));
    const { undone, warnings = [] } = await undo();
    expect([undone, existsSync(outside)]).toEqual([[], true]);
    expect(warnings).toContainEqual(expect.stringContaining("could not be put right"));
  });

  it("with a protected name are put back when they were changed", async () => {
    using at = ground();
    const link = at.link("work/.vscode", at.folder("outside"));
    const { undo } = await at.places();
    unlinkSync(link);
    at.file("work/.vscode/tasks.json");
    expect(at.names((await undo()).undone ?? [])).toEqual(["work/.vscode"]);
    expect([lstatSync(link).isSymbolicLink(), readlinkSync(link)]).toEqual([true, at.at("outside")]);
  });

  it("that lead nowhere do not get what they lead to", async () => {
    using at = ground();
    at.link("work/.idea", "a/b");
    const { undo } = await at.places();
    at.file("work/a/b/x");
    expect(at.names((await undo()).undone ?? [])).toEqual(["work/a"]);
  });
});

describe("commands that overlap", () => {
  it("do not take for their own what another of them made, and each cleans up when it ends", async () => {
    using at = ground();
    const first = await at.places();
    at.file("work/.vscode/tasks.json");
    const second = await at.places();
    expect(at.names(second.protected)).toEqual(["work/.vscode"]);

    expect(at.names((await first.undo()).undone ?? [])).toEqual(["work/.vscode"]);
    at.file("work/.vscode/again.json");
    expect(at.names((await second.undo()).undone ?? [])).toEqual(["work/.vscode"]);
    expect(existsSync(at.at("work/.vscode"))).toBe(false);
  });

  it("leave alone what came when none of them ran", async () => {
    using at = ground();
    await (await at.places()).undo();
    const file = at.file("work/.vscode/settings.json");
    expect([(await (await at.places()).undo()).undone, existsSync(file)]).toEqual([[], true]);
  });

  it("put a link back to where it led when the first of them began", async () => {
    using at = ground();
    const link = at.link("work/.vscode", "one");
    const first = await at.places();
    unlinkSync(link);
    symlinkSync("two", link);
    const second = await at.places();
    await second.undo();
    expect(readlinkSync(link)).toBe("one");
    expect((await first.undo()).undone).toEqual([]);
  });
});

skipsWithoutGit("a repository that a command makes [git is not installed]".replace(hasGit ? / \[.*/ : /$/, ""), () => {
  const git = (cwd: string, ...line: string[]) => execFileSync("git", line, { cwd, encoding: "utf8" });

  it("stays as git made it, samples of hooks included", async () => {
    using at = ground();
    const { undo } = await at.places();
    git(at.workspace, "init", "-q");
    expect((await undo()).undone).toEqual([]);
    expect(git(at.workspace, "status", "--short", "--branch")).toContain("No commits yet");
  });

  it("stays without its hooks, without settings that run something, and without what leads elsewhere", async () => {
    using at = ground();
    const { undo } = await at.places();
    git(at.workspace, "init", "-q");
    git(at.workspace, "config", "core.fsmonitor", at.at("evil"));
    git(at.workspace, "config", "user.name", "Ada");
    at.file("work/.git/hooks/pre-commit", "#!/bin/sh\n");
    at.file("work/.git/info/attributes", "* filter=evil\n");
    at.file("work/.git/config.worktree", "[core]\n");
    const { undone = [], warnings } = await undo();
    expect([at.names(undone), warnings]).toEqual([
      ["work/.git/config", "work/.git/config.worktree", "work/.git/hooks/pre-commit", "work/.git/info/attributes"],
      [],
    ]);
    expect(git(at.workspace, "config", "--local", "--list")).not.toContain("fsmonitor");
    expect(git(at.workspace, "config", "user.name")).toBe("Ada\n");
  });

  it("does not stay when it is a file that points somewhere, or a link", async () => {
    using at = ground();
    const { undo } = await at.places();
    at.file("work/.git", "gitdir: /elsewhere\n");
    expect(at.names((await undo()).undone ?? [])).toEqual(["work/.git"]);
    const again = await at.places();
    at.link("work/.git", at.folder("outside"));
    expect(at.names((await again.undo()).undone ?? [])).toEqual(["work/.git"]);
  });

  it("stays without what its folders would lead to, and without settings that are none", async () => {
    using at = ground();
    const { undo } = await at.places();
    git(at.workspace, "init", "-q");
    for (const name of ["hooks", "config"]) rmSync(at.at(`work/.git/${name}`), { recursive: true });
    const hook = at.file("outside/pre-commit", "#!/bin/sh\n");
    at.link("work/.git/hooks", at.at("outside"));
    at.link("work/.git/config", at.file("outside/config", "[core]\nfsmonitor = evil\n"));
    expect(at.names((await undo()).undone ?? [])).toEqual(["work/.git/config", "work/.git/hooks"]);
    expect([readFileSync(hook, "utf8"), existsSync(at.at("work/.git/HEAD"))]).toEqual(["#!/bin/sh\n", true]);
  });

  it("counts further down as well, and so does one that a file leads to", async () => {
    using at = ground();
    git(at.workspace, "init", "-q");
    const { undo } = await at.places();
    git(at.workspace, "init", "-q", "sub/clone");
    at.file("work/sub/clone/.git/hooks/post-checkout");
    git(at.workspace, "init", "-q", "--separate-git-dir", at.at("work/store"), "sub/apart");
    git(at.at("work/sub/apart"), "config", "core.sshCommand", "evil");
    expect(at.names((await undo()).undone ?? [])).toEqual([
      "work/store/config",
      "work/sub/clone/.git/hooks/post-checkout",
    ]);
  });

  it("may be a worktree of one that was there, and not of one that nobody has seen", async () => {
    using at = ground();
    git(at.workspace, "init", "-q");
    git(at.workspace, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x");
    const { undo } = await at.places();
    git(at.workspace, "worktree", "add", "-q", "side");
    expect((await undo()).undone).toEqual([]);
    expect(git(at.at("work/side"), "status", "--short", "--branch")).toContain("side");

    const again = await at.places();
    at.file("work/evil/config", "[core]\nfsmonitor = evil\n");
    at.file("work/other/.git/commondir", "../../evil\n");
    at.file("work/other/.git/HEAD", "ref: refs/heads/main\n");
    expect(at.names((await again.undo()).undone ?? [])).toEqual(["work/other/.git/commondir"]);
  });

  it("keeps its hooks where those are not protected", async () => {
    using at = ground();
    const { undo } = await at.places({}, { except: [".git/hooks"] });
    git(at.workspace, "init", "-q");
    const hook = at.file("work/.git/hooks/pre-commit");
    expect([(await undo()).undone, existsSync(hook)]).toEqual([[], true]);
  });
});

function isThere(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
