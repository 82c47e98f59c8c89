// The seam with a real wrapper that makes a pid namespace: that the whole of it ends, with its grace, and that what the wrapper
// makes of a command's end is told for what it is. Who is left running is looked for by its arguments, which nobody else has.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxCommand } from "@harness/spec";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { behindBubblewrap, bubblewrap } from "./test-bubblewrap.js";

let cwd: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "harness-bwrap-")));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const sh = (source: string, rest: Partial<SandboxCommand> = {}): SandboxCommand => ({
  ...{ argv: ["sh", "-c", source], cwd, timeoutMs: 60_000 },
  ...rest,
});

/** Pids, as this process numbers them, of all whose command line has `text` in it. */
function pidsWith(text: string): readonly number[] {
  const lines = execFileSync("ps", ["-A", "-ww", "-o", "pid=,stat=,args="], { encoding: "utf8" }).split("\n");
  const found = lines.filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line));
  return found.map((line) => Number.parseInt(line, 10));
}

let names = 0;
/** Seconds to sleep that nobody else sleeps. */
const uniqueSeconds = () => {
  names += 1;
  return `${100_000 + process.pid}.${names}`;
};

const sandbox = behindBubblewrap();

describe.skipIf(bubblewrap === undefined)("a stop behind bubblewrap [needs bubblewrap]", () => {
  /** Stops it when it first prints something. */
  async function stopped(source: string, graceMs = 20_000) {
    const stop = new AbortController();
    const onOutput = () => stop.abort();
    return behindBubblewrap({ graceMs }).run(sh(source, { signal: stop.signal, onOutput }));
  }

  it("lets the command say its last words", async () => {
    const outcome = await stopped("trap 'echo bye; exit' TERM; echo up; while :; do sleep 0.05; done");

    expect(outcome).toMatchObject({ stopped: "cancelled", exitCode: null, stdout: { text: "up\nbye\n" } });
  });

  it("reaches a child that left group, session and parent, and lets it say its own", async () => {
    const daemon = "trap 'echo daemon >&3; exit' TERM; echo up; while :; do sleep 0.05; done";
    const outcome = await stopped(`exec 3>&1; (setsid env -i sh -c "${daemon}" &); trap '' TERM; wait; exec sleep 0.5`);

    expect(outcome.stdout.text).toBe("up\ndaemon\n");
  });

  it("ends a tree that ignores it, after the grace", async () => {
    const seconds = uniqueSeconds();
    const outcome = await stopped(`trap '' TERM; setsid sleep ${seconds} & echo up; while :; do sleep 1; done`, 100);

    expect(outcome).toMatchObject({ stopped: "cancelled", signal: "SIGKILL", exitCode: null });
    expect(pidsWith(seconds)).toEqual([]);
  });

  it("tells SIGTERM for what ended a command that does not answer it", async () => {
    expect(await stopped("echo up; exec sleep 60")).toMatchObject({ signal: "SIGTERM", exitCode: null });
  });

  it("ends all of it at once when it is over a cap, daemons without a mark included", async () => {
    const seconds = uniqueSeconds();
    const source = `trap '' TERM; setsid env -i sleep ${seconds} & head -c 300000000 /dev/zero | tail -c 250000000`;
    const outcome = await sandbox.run(sh(source, { limits: { maxMemoryBytes: 50_000_000 } }));

    expect(outcome).toMatchObject({ capHit: "memory", signal: "SIGKILL" });
    expect(pidsWith(seconds)).toEqual([]);
  });

  it("ends a fork bomb", async () => {
    const seconds = uniqueSeconds();
    const bomb = `bomb() { n=$1; [ "$n" -gt 6 ] && exec sleep ${seconds}; bomb $((n + 1)) & bomb $((n + 1)) & wait; }`;
    const outcome = await sandbox.run(sh(`trap '' TERM; ${bomb}; bomb 0`, { limits: { maxProcesses: 60 } }));

    expect(outcome).toMatchObject({ capHit: "processes", exitCode: null });
    expect(pidsWith(seconds)).toEqual([]);
  });

  it("leaves nothing of a command that ended by itself", async () => {
    const seconds = uniqueSeconds();

    expect(await sandbox.run(sh(`setsid env -i sleep ${seconds} & exit 4`))).toMatchObject({ exitCode: 4 });
    expect(pidsWith(seconds)).toEqual([]);
  });

  it("leaves nothing where bubblewrap would", async () => {
    const seconds = uniqueSeconds();
    const lasting = behindBubblewrap({ wrapped: { argv: [bubblewrap ?? "", ...lastingArguments(seconds)] } });

    expect(await lasting.run(sh(""))).toMatchObject({ exitCode: 4 });
    expect(pidsWith(seconds)).toEqual([]);
  });

  /** Without dying with its parent. */
  function lastingArguments(seconds: string): readonly string[] {
    const places = ["--unshare-user", "--unshare-pid", "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
    return [...places, "--json-status-fd", "3", "--", "sh", "-c", `trap '' TERM; setsid sleep ${seconds} & exit 4`];
  }

  it("is made by the exit of this process", async () => {
    await sandbox.run(sh(""));
    const before = process.listeners("exit");
    const seconds = uniqueSeconds();
    const running = await sandbox.spawn(sh(`trap '' TERM; env -i setsid sleep ${seconds} & echo up; wait; sleep 60`));
    await vi.waitFor(() => expect(running.take().stdout.text).toBe("up\n"), 20_000);
    const added = process.listeners("exit").filter((listener) => !before.includes(listener));
    added[0]?.call(process, 0);

    expect(await running.outcome).toMatchObject({ exitCode: null, signal: "SIGKILL", stopped: null });
    expect(pidsWith(seconds)).toEqual([]);
  });

  it("believes no wrapper that names a process of somebody else", async () => {
    const stranger = spawn("sleep", [uniqueSeconds()], { stdio: "ignore" });
    const status = (said: string) => ({ hasRun: said.includes("exit-code"), init: stranger.pid ?? 0 });
    const liar = behindBubblewrap({ graceMs: 50, wrapped: { status } });

    expect(await liar.run(sh("trap '' TERM; sleep 60 & wait; sleep 60", { timeoutMs: 200 }))).toMatchObject({
      stopped: "timeout",
    });
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    stranger.kill();
    await once(stranger, "close");
  });
});

describe.skipIf(bubblewrap === undefined)("an end behind bubblewrap [needs bubblewrap]", () => {
  it.each([
    ["0", 0],
    ["7", 7],
    ["137", 137],
    ["143", 143],
    ["152", 152],
    ["153", 153],
  ])("with %s by its own choice is just that", async (_, code) => {
    const limits = { maxCpuMs: 1_000, maxFileBytes: 100_000 };

    expect(await sandbox.run(sh(`exit ${code}`, { limits }))).toMatchObject({
      ...{ exitCode: code, signal: null, capHit: null, stopped: null },
    });
  });

  it("is a failed command when it prints and ends as bubblewrap would", async () => {
    const outcome = await sandbox.run(sh("echo 'bwrap: Creating new namespace failed' >&2; exit 1"));

    expect(outcome).toMatchObject({ exitCode: 1, stderr: { text: "bwrap: Creating new namespace failed\n" } });
  });

  it("is the wrapper's when that could not set up, with its words", async () => {
    const missing = behindBubblewrap({ more: ["--bind", "/no/such/folder", "/mnt"] });

    await expect(missing.run(sh("touch made"))).rejects.toMatchObject({
      kind: "wrapper-failed",
      message: expect.stringContaining("/no/such/folder"),
    });
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });

  it("by the kernel's limit on CPU time names the cap and the signal", async () => {
    const outcome = await sandbox.run(sh("while :; do :; done", { limits: { maxCpuMs: 1_000 } }));

    expect(outcome).toMatchObject({ capHit: "cpu", exitCode: null, signal: expect.stringMatching(/SIGXCPU|SIGKILL/) });
  });

  it("of a tree whose CPU time adds up names the cap", async () => {
    const source = "(while :; do :; done) & (while :; do :; done) & wait";

    expect(await sandbox.run(sh(source, { limits: { maxCpuMs: 1_000 } }))).toMatchObject({ capHit: "cpu" });
  });

  it("by the kernel's limit on files names the cap and the signal", async () => {
    const source = "exec head -c 300000 /dev/zero > big";

    expect(await sandbox.run(sh(source, { limits: { maxFileBytes: 100_000 } }))).toMatchObject({
      ...{ capHit: "file-size", exitCode: null, signal: "SIGXFSZ" },
    });
  });

  it("of a program that does not exist is told as without a wrapper", async () => {
    await expect(sandbox.run({ argv: ["harness-no-such-program"], cwd })).rejects.toMatchObject({
      kind: "unavailable",
    });
    writeFileSync(join(cwd, "lost"), "#!/no/such/interpreter\n", { mode: 0o755 });
    const limits = { maxOpenFiles: 100 };
    await expect(sandbox.run({ argv: ["./lost"], cwd, limits })).rejects.toMatchObject({ kind: "spawn-failed" });
  });
});

describe.skipIf(bubblewrap === undefined)("a look behind bubblewrap [needs bubblewrap]", () => {
  const users = [
    ["this user", undefined],
    ["another user", { uid: 54_321, gid: 54_321 }],
  ] as const;
  const isRoot = process.geteuid?.() === 0;

  describe.each(users)("at a command of %s", (_, user) => {
    const subject = behindBubblewrap({ wrapped: { ...(user && { user }) } });
    const test = it.skipIf(user !== undefined && !isRoot);

    test("does not count the wrapper's own processes [another user needs root]", async () => {
      const source = "sleep 0.4 & sleep 0.4 & wait";
      const outcome = await subject.run(sh(source, { limits: { maxProcesses: 3 } }));

      expect(outcome).toMatchObject({ exitCode: 0, capHit: null });
    });

    test("counts every one of the command's [another user needs root]", async () => {
      const source = "sleep 60 & sleep 60 & sleep 60 & wait";

      expect(await subject.run(sh(source, { limits: { maxProcesses: 3 } }))).toMatchObject({ capHit: "processes" });
    });

    test("finds memory that is spread over children [another user needs root]", async () => {
      const hog = `exec node -e 'b = Buffer.alloc(60e6, 1); setInterval(() => b, 1e3)'`;
      const source = `${[1, 2, 3].map(() => `(${hog}) &`).join(" ")} wait`;
      const outcome = await subject.run(sh(source, { limits: { maxMemoryBytes: 200_000_000 } }));

      expect(outcome).toMatchObject({ capHit: "memory", exitCode: null });
    });

    test("finds who sits at the limit of descriptors [another user needs root]", async () => {
      const source = `try { for (;;) require("fs").openSync("/dev/null"); } catch {} setInterval(() => {}, 1e3);`;
      const argv = [process.execPath, "-e", source] as const;
      const outcome = await subject.run({ argv, cwd, timeoutMs: 60_000, limits: { maxOpenFiles: 64 } });

      expect(outcome).toMatchObject({ capHit: "open-files", exitCode: null });
    });
  });

  it("lets it open /dev/stdout anew", async () => {
    expect((await sandbox.run(sh("echo one; echo two > /dev/stdout"))).stdout.text).toBe("one\ntwo\n");
  });

  it("keeps its status from the command", async () => {
    const { stdout } = await sandbox.run(sh("for fd in /proc/self/fd/*; do readlink $fd; done"));

    expect(stdout.text).toContain("/dev/null");
    expect(stdout.text).not.toContain("socket");
  });
});
