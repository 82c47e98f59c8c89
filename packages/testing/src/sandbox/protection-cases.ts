// Promises about what lies in a folder that may be written and is not to change. Whoever may write a folder can also move what is
// above a path, put something where nothing was, and go by another name: each of these is tried.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { hasProgram, sh, writing } from "./payloads.js";
import { type Case, type Cases, onPosix } from "./subject.js";

const needsProtection: Case["unless"] = ({ enforces }) =>
  enforces.protectedPaths ? undefined : "enforces.protectedPaths is false";

const original = "as it was";

export const protectionCases: Cases = {
  "keeps protected paths as they are inside a folder that may be written": {
    unless: needsProtection,
    prove: async ({ run, folder, written }) => {
      await writeFile(join(folder, "protected"), original);
      await run(writing(join(folder, "protected"), join(folder, "made")), {
        protectedPaths: [join(folder, "protected")],
      });

      expect(await written("protected")).toBe(original);
      expect(await written("made")).toBe("written");
    },
  },

  "keeps the folders above a protected path in their place, and lets what is beside it be written": onPosix(
    async ({ run, folder, written }) => {
      await mkdir(join(folder, "a", "b"), { recursive: true });
      await writeFile(join(folder, "a", "b", "kept"), original);
      const swap = `mv a/b c; mv a c; rm -r a; mkdir -p a/b; echo evil > a/b/kept; echo new > a/b/other`;
      await run(sh(swap), { protectedPaths: [join(folder, "a", "b", "kept")] });

      expect(await written("a/b/kept")).toBe(original);
      expect(await written("a/b/other")).toBe("new\n");
    },
    needsProtection,
  ),

  "undoes a protected path that was not there, says so, and leaves nothing in its place": onPosix(
    async ({ run, folder }) => {
      const protectedPaths = [join(folder, "absent"), join(folder, "deep", "absent")];
      const quiet = await run(sh("true"), { protectedPaths });
      expect(quiet.undone ?? []).toEqual([]);
      expect(existsSync(join(folder, "absent"))).toBe(false);

      const outcome = await run(
        sh("mkdir -p absent/in deep; echo x > absent/in/file; echo x > deep/absent; echo x > made"),
        {
          protectedPaths,
        },
      );
      expect([...(outcome.undone ?? [])].sort()).toEqual(protectedPaths);
      expect(protectedPaths.filter((path) => existsSync(path))).toEqual([]);
      expect(existsSync(join(folder, "made"))).toBe(true);
    },
    needsProtection,
  ),

  "protects what a protected path leads to": onPosix(async ({ run, folder, written }) => {
    await writeFile(join(folder, "target"), original);
    await symlink("target", join(folder, "link"));
    await run(sh("echo evil > link; echo evil > target; echo new > made"), { protectedPaths: [join(folder, "link")] });

    expect(await written("target")).toBe(original);
    expect(await written("made")).toBe("new\n");
  }, needsProtection),

  "protects what a rule denies to write": onPosix(async ({ run, folder, written }) => {
    await mkdir(join(folder, "rules"));
    await writeFile(join(folder, "rules", "file"), original);
    await run(sh("echo evil > rules/file; mv rules gone; echo new > rules/other"), {
      isDenied: (act, path) => act === "write" && path === "rules/file",
    });

    expect(await written("rules/file")).toBe(original);
    expect(await written("rules/other")).toBe("new\n");
  }, needsProtection),

  "runs a command, whatever is odd about a path that is protected or hidden": onPosix(
    async ({ run, folder, outside }) => {
      execFileSync("mkfifo", [join(folder, "pipe")]);
      await symlink("nowhere", join(folder, "dangling"));
      await symlink(outside, join(folder, "away"));
      await writeFile(join(folder, "two\nlines and spaces"), original);
      const odd = ["pipe", "dangling", "away", "two\nlines and spaces", "not/there"].map((name) => join(folder, name));

      for (const paths of [{ protectedPaths: odd }, { hiddenPaths: odd.slice(2) }]) {
        expect(await run(sh("echo ran"), paths)).toMatchObject({ exitCode: 0, stdout: { text: "ran\n" } });
      }
    },
  ),

  "lets git go on working while its hooks and its configuration are protected": onPosix(
    async ({ run, folder }) => {
      execFileSync("git", ["init", "-q"], { cwd: folder });
      const config = await readFile(join(folder, ".git", "config"), "utf8");
      const work = `echo x > file && git add file && git -c user.name=a -c user.email=b@c commit -qm x && git checkout -qb other`;
      const protectedPaths = [".git/hooks", ".git/config"].map((name) => join(folder, name));

      expect(await run(sh(work), { protectedPaths })).toMatchObject({ exitCode: 0 });
      expect(await readFile(join(folder, ".git", "config"), "utf8")).toBe(config);
      expect(execFileSync("git", ["log", "--format=%s"], { cwd: folder, encoding: "utf8" })).toBe("x\n");
    },
    () => (hasProgram("git") ? undefined : "needs git"),
  ),
};
