// What the rung does beyond the port's promises, tried on this machine.
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox, SandboxCommand } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { bubblewrapped, hasBubblewrap, isRoot, needsBubblewrap, stranger } from "../test-bubblewrap.js";
import { testFolder } from "../test-folder.js";

const printed = async (sandbox: Sandbox, cwd: string, line: string, rest: Partial<SandboxCommand> = {}) =>
  (await sandbox.run({ argv: ["sh", "-c", line], cwd, ...rest })).stdout.text.trim();

describe.skipIf(!hasBubblewrap)(`a command behind bubblewrap${needsBubblewrap}`, () => {
  it("runs contained among paths of every kind", async () => {
    using folder = testFolder();
    const workspace = join(folder.path, "a work space\nof $(two) lines");
    const hooks = join(folder.path, "hooks elsewhere");
    mkdirSync(join(workspace, ".git"), { recursive: true });
    mkdirSync(hooks);
    writeFileSync(join(workspace, ".git", "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(workspace, ".git", "config"), "");
    symlinkSync(hooks, join(workspace, ".git", "hooks"));
    symlinkSync("/no/such/place", join(workspace, ".vscode"));
    execFileSync("mkfifo", [join(workspace, ".npmrc")]);
    writeFileSync(join(workspace, "--bind"), "");
    await using sandbox = await bubblewrapped(workspace);
    const line = `echo hello; echo x > made; echo x > ../out; echo evil > .git/hooks/pre-commit`;
    const outcome = await sandbox.run({ argv: ["sh", "-c", line], cwd: workspace });

    expect(outcome).toMatchObject({ backend: "linux-bubblewrap", stdout: { text: "hello\n" } });
    expect(readFileSync(join(workspace, "made"), "utf8")).toBe("x\n");
    expect(() => readFileSync(join(folder.path, "out"))).toThrow();
    expect(() => readFileSync(join(hooks, "pre-commit"))).toThrow();
  });

  it("has folders for temporary files of its own, and nothing in them that others could see", async () => {
    using folder = testFolder();
    await using sandbox = await bubblewrapped(folder.path);
    const look = "cat /tmp/f /var/tmp/f /dev/shm/f 2>/dev/null | wc -l";
    const line = `echo "$TMPDIR"; ${look}; for d in /tmp /var/tmp /dev/shm; do echo x > $d/f; done; ${look}`;

    for (const _ of [1, 2]) expect(await printed(sandbox, folder.path, line)).toBe("/tmp\n0\n3");
    expect(existsSync("/tmp/f") || existsSync("/var/tmp/f") || existsSync("/dev/shm/f")).toBe(false);
  });

  it("sees a workspace that lies in the temporary folder, and may write it or not as its mode says", async () => {
    using folder = testFolder("/tmp");
    await using sandbox = await bubblewrapped(folder.path);
    await printed(sandbox, folder.path, "echo one > made; ls -A /tmp | wc -l");
    await printed(sandbox, folder.path, "echo two > made", { mode: "read-only" });

    expect(readFileSync(join(folder.path, "made"), "utf8")).toBe("one\n");
    expect(await printed(sandbox, folder.path, "cat made; ls -A /tmp | wc -l", { mode: "read-only" })).toBe("one\n1");
  });

  it("gets no descriptor but its three, or the null device in its place, no capability and no new privilege", async () => {
    using folder = testFolder();
    await using sandbox = await bubblewrapped(folder.path);
    const line = `for f in /proc/self/fd/*; do n=\${f##*/}; [ $n -gt 2 ] && [ -e $f ] && readlink $f | grep -v ^/dev/null; done
      grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t'; ulimit -c`;

    expect(await printed(sandbox, folder.path, line)).toBe(
      ["CapEff:0000000000000000", "CapBnd:0000000000000000", "NoNewPrivs:1", "Seccomp:2", "0"].join("\n"),
    );
  });

  it("resolves names as the machine does where egress is open, although it does not see who does it", async () => {
    using folder = testFolder();
    await using sandbox = await bubblewrapped(folder.path, {}, { egress: "allow" });
    const seen = await printed(sandbox, folder.path, "cat /etc/resolv.conf; ls -A /run | grep -c sock", {
      egress: "allow",
    });

    expect(seen).toBe(`${readFileSync("/etc/resolv.conf", "utf8").trimEnd()}\n0`);
  });

  it("can be one of two at once, each with places of its own", async () => {
    using one = testFolder();
    using other = testFolder();
    await using first = await bubblewrapped(one.path);
    await using second = await bubblewrapped(other.path);
    const line = (neighbour: string) => `echo x > mine; echo x > ${neighbour}/theirs; ls`;
    const both = await Promise.all([
      printed(first, one.path, line(other.path)),
      printed(second, other.path, line(one.path)),
    ]);

    expect(both).toEqual(["mine", "mine"]);
  });

  it("never ran when a place has vanished, and that is the wrapper's failure", async () => {
    using folder = testFolder();
    const { work, root, command } = vanishing(folder.path);
    await using sandbox = await bubblewrapped(work);
    const { outcome } = await sandbox.spawn(command);

    await expect(outcome).rejects.toMatchObject({ kind: "wrapper-failed", message: expect.stringContaining(root) });
    expect(existsSync(root)).toBe(false);
    expect(existsSync(join(work, "made"))).toBe(false);
  });

  it("is tried again with another look when a place has vanished between the look and the start", async () => {
    using folder = testFolder();
    const { work, root, command } = vanishing(folder.path);
    await using sandbox = await bubblewrapped(work);
    const { exitCode } = await sandbox.run(command);

    expect(exitCode).toBe(0);
    expect(existsSync(root)).toBe(false);
    expect(existsSync(join(work, "made"))).toBe(true);
  });

  it("is not taken for a failed wrapper, whatever it prints and however it ends", async () => {
    using folder = testFolder();
    await using sandbox = await bubblewrapped(folder.path);
    const line = 'echo "bwrap: Can\'t mount proc" >&2; exit 1';

    expect(await sandbox.run({ argv: ["sh", "-c", line], cwd: folder.path })).toMatchObject({ exitCode: 1 });
  });

  it("is held also among more places than a list of arguments is for, and refused beyond what bubblewrap takes", async () => {
    using folder = testFolder();
    const files = Array.from({ length: 3_000 }, (_, index) => join(folder.path, `file-${index}`));
    for (const file of files) writeFileSync(file, "kept");
    await using sandbox = await bubblewrapped(folder.path);
    const run = (count: number) =>
      sandbox.run({
        ...{ argv: ["sh", "-c", "for f in *; do echo x > $f; done 2>/dev/null; exit 0"], cwd: folder.path },
        protectedPaths: files.slice(0, count),
      });
    await run(160);
    const kept = files.filter((file) => readFileSync(file, "utf8") === "kept");

    expect(kept).toEqual(files.slice(0, 160));
    await expect(run(3_000)).rejects.toMatchObject({ kind: "setup-failed", message: expect.stringContaining("8990") });
  });

  it.skipIf(!isRoot)(`runs as whoever owns the workspace${isRoot ? "" : " [needs root]"}`, async () => {
    using folder = testFolder("/srv");
    execFileSync("chmod", ["755", folder.path]);
    const work = join(folder.path, "work");
    mkdirSync(work);
    chownSync(work, stranger, stranger);
    await using sandbox = await bubblewrapped(work);

    expect(await printed(sandbox, work, 'id -u; id -g; id -G; echo "$HOME $USER"; echo x > made; cat made')).toBe(
      `${stranger}\n${stranger}\n${stranger}\n/tmp ${stranger}\nx`,
    );
    expect(await printed(sandbox, work, "echo $HOME", { env: { HOME: work } })).toBe(work);
  });
});

/** A command with a root that is removed while its places are looked for, when the root has been found. */
function vanishing(folder: string) {
  const [root, work] = [join(folder, "root"), join(folder, "work")];
  for (const path of [root, work]) mkdirSync(path);
  writeFileSync(join(work, "file"), "");
  const command: SandboxCommand = {
    ...{ argv: ["touch", "made"], cwd: work, writableRoots: [root] },
    isDenied: () => {
      rmSync(root, { recursive: true, force: true });
      return false;
    },
  };
  return { work, root, command };
}
