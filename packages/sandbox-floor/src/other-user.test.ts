// Commands that run as another user than this process, which only root may start: that they can use what the floor makes for them,
// and have no right of root's left. No wrapper is needed for that but one that does nothing.
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxCommand } from "@harness/spec";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { floor } from "./index.js";

const isRoot = process.geteuid?.() === 0;
const user = { uid: 54_321, gid: 54_322 };

let cwd: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "harness-user-")));
  chmodSync(cwd, 0o755);
});
afterAll(() => rmSync(cwd, { recursive: true }));

const sh = (source: string, rest: Partial<SandboxCommand> = {}): SandboxCommand => ({
  ...{ argv: ["sh", "-c", source], cwd, timeoutMs: 60_000 },
  ...rest,
});

const sandbox = floor({
  wrap: ({ command }) => ({ argv: ["/bin/sh", "-c", 'exec "$@"', "sh", ...command.argv], user }),
});

describe.skipIf(!isRoot || process.platform !== "linux")("a command of another user [needs root on Linux]", () => {
  it("has that user and group, no other group, and no capability", async () => {
    const { stdout } = await sandbox.run(sh("id -u; id -g; id -G; grep -E 'CapPrm|CapEff' /proc/self/status"));

    expect(stdout.text).toMatch(/^54321\n54322\n54322\nCapPrm:\t0+\nCapEff:\t0+\n$/);
  });

  it("can open its outputs anew", async () => {
    const outcome = await sandbox.run(
      sh("echo x > /dev/stdout; echo y | tee /dev/stderr >/dev/null; echo z >> /dev/fd/1"),
    );

    expect(outcome).toMatchObject({ exitCode: 0, stdout: { text: "x\nz\n" }, stderr: { text: "y\n" } });
  });

  it("has outputs that no third user can open", async () => {
    const running = await sandbox.spawn(sh("echo $$; exec sleep 60"));
    let pid = "";
    await vi.waitFor(() => {
      pid += running.take().stdout.text.trim();
      expect(pid).not.toBe("");
    }, 20_000);
    const stats = statSync(`/proc/${pid}/fd/1`);
    await running.kill();

    expect([stats.uid, stats.mode & 0o777]).toEqual([user.uid, 0o600]);
  });

  it("gets a temporary folder that it can use, gone with it", async () => {
    const source = `echo x > "$TMPDIR/file" && ls -ld "$TMPDIR" | cut -c 1-10; echo "$TMPDIR"`;
    const { stdout } = await sandbox.run(sh(source, { limits: { maxTempBytes: 1e6 } }));
    const [mode, folder = ""] = stdout.text.trim().split("\n");

    expect(mode).toBe("drwx------");
    expect([folder !== "", existsSync(folder)]).toEqual([true, false]);
  });

  it("is held to the cap on that folder", async () => {
    const source = `head -c 3000000 /dev/zero > "$TMPDIR/file"; sleep 60`;

    expect(await sandbox.run(sh(source, { limits: { maxTempBytes: 1e6 } }))).toMatchObject({ capHit: "temp" });
  });

  it("is ended with everything that it started", async () => {
    const outcome = await sandbox.run(sh("trap '' TERM; setsid sleep 4321.5 & sleep 4321.5", { timeoutMs: 200 }));
    const left = await floor().run(sh("ps -A -o args= | grep -c '^sleep 4321[.]5'"));

    expect(outcome).toMatchObject({ stopped: "timeout" });
    expect(left.stdout.text).toBe("0\n");
  });
});

describe.skipIf(isRoot || process.platform === "win32")("a command of another user [needs an ordinary user]", () => {
  it("is refused to who may not change users", async () => {
    await expect(sandbox.run(sh("touch made"))).rejects.toMatchObject({ kind: "wrapper-failed" });
  });
});
