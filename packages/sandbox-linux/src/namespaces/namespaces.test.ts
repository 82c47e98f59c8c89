// What this rung holds beyond the port's promises, tried by whoever would undo it; with Perl and without.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxCommand } from "@harness/spec";
import { describe, expect, it, vi } from "vitest";
import { systemProgram } from "../system-programs.js";
import { explained, probeNamespaces } from "./probe.js";
import { makeScene, sandboxOf, variants, wrap } from "./test-command.js";
import type { Tools } from "./tools.js";

const sh = (cwd: string, line: string, rest: Partial<SandboxCommand> = {}): SandboxCommand => ({
  argv: ["sh", "-c", line],
  ...{ cwd, ...rest },
});

for (const { title, tools } of await variants()) {
  describe.skipIf(tools === undefined)(title, () => tests(tools as Tools));
}

function tests(tools: Tools): void {
  it("gives a command no way to make anything writable again", async () => {
    using scene = makeScene();
    const { path, work, outside } = scene;
    const line = `for at in / ${path} /proc /dev ${outside}; do mount -o remount,bind,rw $at && echo REMOUNTED; done
      umount -l ${work} && echo UNMOUNTED; mount --bind ${work} ${outside} && echo BOUND; unshare -Ur true && echo NEW
      nsenter -t 1 -m sh -c "echo x > ${outside}/made"; echo x > /proc/1/root${outside}/made; echo x > ${outside}/made
      grep CapEff /proc/self/status; echo end`;
    const { stdout } = await sandboxOf(tools).run(sh(work, line));

    expect(existsSync(join(outside, "made"))).toBe(false);
    // A namespace of its own is refused by the filter alone, and gives no way out.
    const said = stdout.text.split("\n").filter((word) => word !== "NEW" || tools.launcher !== undefined);
    expect(said).toEqual([`CapEff:\t${"0".repeat(16)}`, "end", ""]);
  });

  it("leaves no way out to a superuser in a namespace of the command's own", async () => {
    using scene = makeScene();
    const { work, outside } = scene;
    const line = `mount -o remount,bind,rw / ; umount -l /proc; echo x > ${outside}/made`;
    await sandboxOf(tools).run({ argv: ["unshare", "-Urm", "sh", "-c", line], cwd: work });

    expect(existsSync(join(outside, "made"))).toBe(false);
  });

  it("sees a workspace below the temporary folder, and nothing else that is there", async () => {
    using scene = makeScene(tmpdir());
    const { path, work, outside } = scene;
    const line = `echo made > made; ls ${path}; echo x > ${outside}/made; echo x > ${path}/made; mktemp`;
    const { stdout } = await sandboxOf(tools).run(sh(work, line));

    expect(readFileSync(join(work, "made"), "utf8")).toBe("made\n");
    expect(stdout.text.split("\n")[0]).toBe("work");
    expect([existsSync(join(outside, "made")), existsSync(join(path, "made"))]).toEqual([false, false]);
    const { stdout: read } = await sandboxOf(tools).run(sh(work, "cat made; echo x > made", { mode: "read-only" }));
    expect([read.text, readFileSync(join(work, "made"), "utf8")]).toEqual(["made\n", "made\n"]);
  });

  it("works where there is no shared memory to work in", async () => {
    using scene = makeScene();
    const temporary = tools.temporary.filter((folder) => folder !== "/dev/shm");
    const line = `echo x > made; ls -A /tmp /var/tmp; f=$(mktemp) && echo x > "$f" && echo x > /dev/shm/x && umask`;
    const outcome = await sandboxOf({ ...tools, temporary }).run(sh(scene.work, line));
    const mask = `0${process.umask().toString(8).padStart(3, "0")}`;

    expect(outcome.stdout.text).toBe(`/tmp:\n\n/var/tmp:\n${mask}\n`);
    expect(existsSync(join(scene.work, "made"))).toBe(true);
  });

  it("copes with names that have spaces, quotes and lines in them", async () => {
    using scene = makeScene();
    const work = join(scene.path, "a b\n\\0401'\"$(id)#");
    const guarded = join(work, "keep this");
    mkdirSync(guarded, { recursive: true });
    const line = `pwd; echo x > made; echo x > "keep this/made"; printf end`;
    const { stdout } = await sandboxOf(tools).run(sh(work, line, { protectedPaths: [guarded] }));

    expect(stdout.text).toBe(`${work}\nend`);
    expect([existsSync(join(work, "made")), existsSync(join(guarded, "made"))]).toEqual([true, false]);
  });

  it("tells a set-up that has failed from a command that says the same", async () => {
    using scene = makeScene();
    const { work } = scene;
    const broken = sandboxOf({ ...tools, devices: [...tools.devices, "/dev/no-such-device"] });
    await expect(broken.run(sh(work, "echo x > made"))).rejects.toMatchObject({
      kind: "wrapper-failed",
      message: expect.stringContaining("/dev/no-such-device"),
    });
    const line = "echo The sandbox could not mount proc at /proc. >&2; echo failed >&3; exit 125";

    expect(existsSync(join(work, "made"))).toBe(false);
    expect(await sandboxOf(tools).run(sh(work, line))).toMatchObject({ exitCode: 125, capHit: null, stopped: null });
  });

  it("hands a command its variables and none of its own, and no descriptor", async () => {
    using scene = makeScene();
    const line = `tr '\\0' '\\n' < /proc/self/environ; for d in 3 4 5 6; do [ -e /proc/self/fd/$d ] && echo OPEN $d; done`;
    const { stdout } = await sandboxOf(tools).run(sh(scene.work, line, { env: { GIVEN: "a b" } }));
    const lines = stdout.text.trim().split("\n");

    expect(lines).toEqual(expect.arrayContaining(["GIVEN=a b", "TMPDIR=/tmp"]));
    expect(lines.filter((one) => /^(OLDPWD|SHLVL|_|PERL_BADLANG)=|^OPEN/.test(one))).toEqual([]);
  });

  it("keeps a command from the network, and gives it a loopback of its own", async () => {
    using scene = makeScene();
    const serve = `require("net").createServer((s) => s.end("hello")).listen(0, "127.0.0.1", function () {
      require("net").connect(this.address().port, "127.0.0.1").on("data", (text) => { console.log(String(text)); process.exit() }) })`;
    const argv = [process.execPath, "-e", serve] as const;

    expect((await sandboxOf(tools).run({ argv, cwd: scene.work })).stdout.text).toBe("hello\n");
    const { stdout } = await sandboxOf(tools).run(sh(scene.work, "ls /sys/class/net; cat /proc/net/route | wc -l"));
    expect(stdout.text.trim().split("\n").at(-1)).toBe("1");
  });

  it("ends everything when this process is killed, however it hides", async () => {
    using scene = makeScene();
    const line = `(env -i setsid sh -c 'exec 9<>up; while :; do sleep 0.05; date +%s%N > ticks; done' </dev/null >/dev/null 2>&1 &)
      echo $$ > pid; while :; do sleep 0.05; done`;
    const request = { command: sh(scene.work, line), program: systemProgram("sh") ?? "/bin/sh" };
    const { argv, variables } = await wrap(request, tools);
    const start = `const [file, ...words] = JSON.parse(process.env.ARGV);
      require("child_process").spawn(file, words, { detached: true, stdio: ["ignore", "ignore", "ignore", "pipe"] });
      setInterval(() => {}, 1000)`;
    const env = { ...process.env, ...variables, ARGV: JSON.stringify(argv) } as NodeJS.ProcessEnv;
    const harness = spawn(process.execPath, ["-e", start], { cwd: scene.work, env, stdio: "ignore" });
    const ticks = join(scene.work, "ticks");
    const read = () => (existsSync(ticks) ? readFileSync(ticks, "utf8") : "");
    await vi.waitFor(() => expect(read()).not.toBe(""), 20_000);
    harness.kill("SIGKILL");
    await once(harness, "exit");

    // Who is left is told by the folder that it works in.
    await vi.waitFor(() => expect(processesIn(scene.work)).toEqual([]), 20_000);
  });

  const asRoot = process.getuid?.() === 0;
  it.skipIf(!asRoot)("runs a command as another user, who owns the workspace [needs root]", async () => {
    using scene = makeScene(tmpdir());
    const { path, work, outside } = scene;
    chmodSync(path, 0o755);
    for (const folder of [work, outside]) chownSync(folder, 54_321, 54_321);
    const user = { uid: 54_321, gid: 54_321, variables: { HOME: "/tmp", USER: "x", LOGNAME: "x" } };
    const line = `id -u; id -g; echo x > made; echo x > ${outside}/made; mount -o remount,bind,rw / && echo REMOUNTED`;
    const { stdout } = await sandboxOf(tools, user).run(sh(work, line));

    expect(stdout.text).toBe("54321\n54321\n");
    expect([existsSync(join(work, "made")), existsSync(join(outside, "made"))]).toEqual([true, false]);
  });

  it.skipIf(!asRoot)(
    "makes every mount read-only, whatever its name and whatever lies over it [needs root]",
    async () => {
      using scene = makeScene();
      const { work, outside } = scene;
      const places = [
        join(outside, "a b"),
        join(outside, "0401\\x"),
        join(outside, "twice"),
        join(outside, "above/below"),
      ];
      for (const place of places) mkdirSync(place, { recursive: true });
      const over = [join(outside, "twice"), join(outside, "above")];
      const line = `for at in ${places.map((_, index) => `"$${index + 3}"`).join(" ")}; do echo x > "$at/made" && echo WROTE "$at"; done; echo end`;
      const request = {
        command: { argv: ["sh", "-c", line, "sh", "", "", ...places], cwd: work },
        program: "/bin/sh",
      } as const;
      const { argv, variables } = await wrap(request, tools);
      const mounts = `n=$1; shift; while [ "$n" -gt 0 ]; do mount -t tmpfs t "$1"; shift; n=$((n-1)); done; exec "$@"`;
      const all = [...places, ...over];
      const words = ["-m", "sh", "-c", mounts, "sh", String(all.length), ...all, ...argv];
      const { stdout } = spawnSync("unshare", words, {
        ...{ cwd: work, env: { ...process.env, ...variables } as NodeJS.ProcessEnv, encoding: "utf8" },
        stdio: ["ignore", "pipe", "pipe", "pipe"],
      });

      expect(stdout).toBe("end\n");
    },
  );
}

function processesIn(folder: string): readonly string[] {
  const { stdout } = spawnSync("sh", [
    "-c",
    `for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$1" ] && echo "$p"; done`,
    "sh",
    folder,
  ]);
  return String(stdout).split("\n").filter(Boolean);
}

it.each([
  [
    "it printed: unshare: unshare failed: Operation not permitted. Run",
    /^unshare does not work here \(unshare: unshare f.*: /,
  ],
  ["it printed: unshare: unrecognized option '--keep-caps'\nTry", /too old. Install util-linux 2.38 or newer\.$/],
  ["it printed: The sandbox could not mount proc at /proc: Operation not permitted.", /hides parts of \/proc/],
])("says of %j what would help", (message, problem) => {
  expect(explained(message)).toMatch(problem);
});

it("says which programs are missing, and that the set-up does not work", async () => {
  expect((await probeNamespaces("no programs")).report).toMatchObject({
    works: false,
    problem: "no programs",
    gaps: [],
  });
});
