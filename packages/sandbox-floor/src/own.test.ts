// What the floor promises beyond the port: the wrapper's seam, its options, and that it leaves nothing behind in this
// process.

import { getEventListeners } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxCommand } from "@harness/spec";
import { fakeClock } from "@harness/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { floor } from "./index.js";

let cwd: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "harness-floor-")));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const sh = (source: string, rest: Partial<SandboxCommand> = {}): SandboxCommand => ({
  argv: ["sh", "-c", source],
  cwd,
  ...rest,
});

describe.skipIf(process.platform === "win32")("floor [its payloads need sh]", () => {
  it("says what it enforces, and takes a backend's word for more", () => {
    expect(floor().enforces).toMatchObject({
      ...{ metadata: false, protectedPaths: false, unixSockets: false, otherProcesses: false },
      ...{ kernel: false, privateTemp: false },
      ...{ writes: false, reads: false, egress: "none", wall: true, output: true, treeKill: "walk" },
    });
    expect(floor({ enforces: { writes: true } }).enforces).toEqual({ ...floor().enforces, writes: true });
  });

  it("puts a wrapper in front of the argv, and reports the argv without it", async () => {
    const seen: string[] = [];
    const wrapped = floor({
      backend: "wrapped",
      wrap: ({ command, program }) => {
        seen.push(program);
        return ["/bin/sh", "-c", 'echo wrapped; exec "$@"', "sh", ...command.argv];
      },
    });
    const outcome = await wrapped.run(sh("echo inside"));

    expect(outcome).toMatchObject({ backend: "wrapped", argv: ["sh", "-c", "echo inside"], exitCode: 0 });
    expect(outcome.stdout.text).toBe("wrapped\ninside\n");
    expect(seen).toEqual([expect.stringMatching(/^\/.*\/sh$/)]);
  });

  it.each([
    ["has no absolute path", () => ["sh", "-c", "exit"] as const, "setup-failed"],
    ["is not there", () => ["/no/such/wrapper"] as const, "wrapper-failed"],
    ["cannot be made", () => Promise.reject(new Error("no profile")), "setup-failed"],
  ])("starts nothing behind a wrapper that %s", async (_, wrap, kind) => {
    const wrapped = floor({ wrap });

    await expect(wrapped.run(sh("touch made"))).rejects.toMatchObject({ code: "sandbox-failed", kind });
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });

  it("says of a missing program the same with and without a wrapper", async () => {
    const command: SandboxCommand = { argv: ["harness-no-such-program"], cwd };
    const reasonOf = (sandbox = floor()) => sandbox.run(command).catch((error: Error) => error.message);

    expect(await reasonOf(floor({ wrap: () => ["/bin/true"] }))).toBe(await reasonOf());
  });

  it("asks once whether the backend is available, and starts nothing when it is not", async () => {
    const isAvailable = vi.fn(() => false);
    const missing = floor({ backend: "absent", isAvailable });

    for (let round = 0; round < 2; round += 1) {
      await expect(missing.run(sh("touch made"))).rejects.toMatchObject({ kind: "setup-failed", message: /absent/ });
    }
    await expect(floor({ isAvailable: () => Promise.reject(new Error()) }).run(sh(""))).rejects.toMatchObject({
      kind: "setup-failed",
    });
    expect(isAvailable).toHaveBeenCalledTimes(1);
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });

  it("tells a file that may not be executed from one that is not there", async () => {
    await floor().run(sh("echo 'exit 0' > plain; printf '#!/no/such/interpreter\\n' > lost; chmod +x lost"));

    for (const argv of [["./plain"], ["./lost"]] as const) {
      await expect(floor().run({ argv, cwd })).rejects.toMatchObject({ kind: "spawn-failed" });
    }
  });

  it("keeps secrets and proxies from commands, unless the network is allowed", async () => {
    const environment = {
      PATH: process.env.PATH,
      GATEWAY: "the-gateway-key",
      HTTPS_PROXY: "http://proxy",
      EDITOR: "vi",
    };
    const sandbox = floor({ environment, secrets: ["GATEWAY"] });
    const inherit = ["GATEWAY", "HTTPS_PROXY", "EDITOR"];
    const print = `echo "$GATEWAY|$HTTPS_PROXY|$EDITOR|$TERM"`;

    expect((await sandbox.run(sh(print, { inherit }))).stdout.text).toBe("||vi|dumb\n");
    expect((await sandbox.run(sh(print, { inherit, egress: "allow" }))).stdout.text).toBe("|http://proxy|vi|dumb\n");
  });

  it("adds its mark to that of a command it runs in itself", async () => {
    const { PATH } = process.env;
    const outer = floor({ environment: { PATH }, newMark: () => "mark-1" });
    const inner = floor({ environment: { PATH, HARNESS_COMMAND: "mark-1" }, newMark: () => "mark-2" });

    expect((await outer.run(sh("echo $HARNESS_COMMAND"))).stdout.text).toBe("mark-1\n");
    expect((await inner.run(sh("echo $HARNESS_COMMAND"))).stdout.text).toBe("mark-1:mark-2\n");
  });

  it("keeps as much of the output as it is told to", async () => {
    const outcome = await floor({ keepBytes: 4 }).run(sh("printf abcdefghijkl"));

    expect(outcome.stdout).toEqual({ text: "abcd\n[… 4 bytes left out …]\nijkl", elidedBytes: 4 });
  });

  it("keeps what a child prints just after its parent has exited", async () => {
    const patient = floor({ drainMs: 10_000 });
    const outcome = await patient.run(sh("(sleep 0.3; echo late) & echo early"));

    expect(outcome).toMatchObject({ exitCode: 0, stdout: { text: "early\nlate\n" } });
  });

  it("lets a command that is stopped say its last words", async () => {
    const stop = new AbortController();
    const onOutput = () => stop.abort();
    const source = `trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done`;
    const outcome = await floor({ graceMs: 20_000 }).run(sh(source, { signal: stop.signal, onOutput }));

    expect(outcome).toMatchObject({
      stopped: "cancelled",
      exitCode: null,
      signal: null,
      stdout: { text: "up\nbye\n" },
    });
  });

  it("tells a program the name that it was called by", async () => {
    expect((await floor().run(sh("echo $0"))).stdout.text).toBe("sh\n");
  });

  it("tells deadlines by the clock that it is given", async () => {
    const clock = fakeClock(0);
    const sandbox = floor({ clock });
    const capped = sandbox.run(sh("echo up; sleep 60", { limits: { maxWallMs: 3_600_000 }, onOutput: late }));
    function late() {
      void clock.advance(3_600_000);
    }

    expect(await capped).toMatchObject({ capHit: "wall", wallMs: 3_600_000, stdout: { text: "up\n" } });
    expect(clock.waiting).toBe(0);
    expect(await sandbox.run(sh("", { timeoutMs: 1_000 }))).toMatchObject({ exitCode: 0, wallMs: 0 });
    expect(clock.waiting).toBe(0);
  });

  it("does not mind a watcher that throws", async () => {
    const onOutput = () => {
      throw new Error("not interested");
    };

    expect(await floor().run(sh("echo out", { onOutput }))).toMatchObject({ exitCode: 0, stdout: { text: "out\n" } });
  });

  it("leaves no listener behind on a signal that outlives 200 commands", async () => {
    const warned = vi.fn();
    process.on("warning", warned);
    const { signal } = new AbortController();
    const sandbox = floor();
    for (let batch = 0; batch < 10; batch += 1) {
      await Promise.all(
        Array.from({ length: 20 }, () => sandbox.run({ argv: ["true"], cwd, signal, timeoutMs: 60_000 })),
      );
    }
    process.off("warning", warned);

    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(warned).not.toHaveBeenCalled();
  });

  it("leaves no handle behind when programs cannot be started", async () => {
    const sandbox = floor();
    await sandbox.run(sh("true > refused; chmod 644 refused"));
    const handles = () => process.getActiveResourcesInfo().filter((name) => /PipeWrap|ProcessWrap/.test(name)).length;
    const before = handles();
    for (let round = 0; round < 50; round += 1) {
      await sandbox.run({ argv: ["./refused"], cwd, stdin: "x".repeat(100_000) }).catch(() => {});
    }

    await vi.waitFor(() => expect(handles()).toBeLessThanOrEqual(before), 20_000);
  });

  it("ends its commands when this process exits, and listens for that only while they run", async () => {
    // What is there for all commands has a listener of its own.
    await floor().run(sh("true"));
    const before = process.listeners("exit");
    const added = () => process.listeners("exit").filter((listener) => !before.includes(listener));
    const running = await floor().spawn(sh("sleep 60"));
    const other = await floor().spawn(sh("sleep 60"));
    expect(added()).toHaveLength(1);
    added()[0]?.call(process, 0);

    expect(await running.outcome).toMatchObject({ exitCode: null, signal: "SIGKILL", stopped: null });
    expect(await other.outcome).toMatchObject({ exitCode: null, signal: "SIGKILL", stopped: null });
    expect(added()).toEqual([]);
  });

  it("lets a command lead its own session", async () => {
    const outcome = await floor().run(sh("echo $$; ps -o pgid= -o sess= -p $$"));
    const [pid, group, session] = outcome.stdout.text.trim().split(/\s+/);

    expect([group, session]).toEqual([pid, process.platform === "linux" ? pid : session]);
  });
});
