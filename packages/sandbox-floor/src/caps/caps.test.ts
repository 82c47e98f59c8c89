// Caps on the floor beyond the port's suite: how limits are set, what is behind a wrapper, and what no command can fake.
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxCommand, SandboxLimits } from "@harness/spec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { floor, type WrapRequest } from "../index.js";
import { capMeansOf, processCapMeans } from "./cap-means.js";

let cwd: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "harness-caps-")));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const sh = (source: string, limits?: SandboxLimits, rest: Partial<SandboxCommand> = {}): SandboxCommand => ({
  ...{ argv: ["sh", "-c", source], cwd, timeoutMs: 60_000, ...(limits && { limits }) },
  ...rest,
});

const limitsInside = "ulimit -S -t; ulimit -H -t; ulimit -S -n; ulimit -H -n; ulimit -c";
const three: SandboxLimits = { maxCpuMs: 7_500, maxOpenFiles: 50, maxFileBytes: 1_048_576 };

describe("what each platform is said to hold", () => {
  const programs = { sh: "/bin/sh" };

  it.each([
    ["linux", { platform: "linux", hasProc: true, programs }, ["tree", "poll", true, true, true]],
    ["linux without /proc", { platform: "linux", hasProc: false, programs }, ["process", "none", false, true, true]],
    [
      "linux without sh",
      { platform: "linux", hasProc: true, programs: undefined },
      ["tree", "poll", true, false, false],
    ],
    ["darwin", { platform: "darwin", hasProc: false, programs }, ["process", "none", false, true, true]],
    ["win32", { platform: "win32", hasProc: false, programs: undefined }, ["none", "none", false, false, false]],
  ])("%s", (_, machine, expected) => {
    const { cpu, memory, processes, openFiles, fileSize } = capMeansOf(machine).enforces;

    expect([cpu, memory, processes, openFiles, fileSize]).toEqual(expected);
  });

  it("is what the floor says", () => {
    expect(floor().enforces).toMatchObject(processCapMeans().enforces);
  });
});

describe.skipIf(process.platform === "win32")("limits of a command [needs sh]", () => {
  it("are set with the soft one below the hard one, in the command alone", async () => {
    const [limited, free] = [await floor().run(sh(limitsInside, three)), await floor().run(sh("ulimit -S -t"))];

    expect(limited.stdout.text).toBe("8\n9\n50\n51\n0\n");
    expect(free.stdout.text).toBe("unlimited\n");
  });

  it("cannot be raised by it", async () => {
    const source = "ulimit -S -n 51 && ulimit -n 52 2>/dev/null || ulimit -S -n";
    const runAs =
      process.getuid?.() === 0 ? 'exec setpriv --bounding-set=-all --inh-caps=-all --reuid=1 sh -c "$0"' : 'eval "$0"';
    const outcome = await floor().run({ argv: ["sh", "-c", runAs, source], cwd: "/", limits: { maxOpenFiles: 50 } });

    expect(outcome.stdout.text).toBe("51\n");
  });

  it("stand behind a wrapper, next to the program", async () => {
    let asked: WrapRequest | undefined;
    const wrap = (request: WrapRequest) => {
      asked = request;
      return ["/bin/sh", "-c", 'ulimit -S -t; exec "$@"', "sh", ...request.command.argv] as const;
    };
    const outcome = await floor({ backend: "wrapped", wrap }).run(sh(limitsInside, three));

    expect(outcome.stdout.text).toBe("unlimited\n8\n9\n50\n51\n0\n");
    expect(outcome.argv).toEqual(["sh", "-c", limitsInside]);
    expect(asked?.rlimits?.openFiles).toEqual({ soft: 50, hard: 51 });
    expect(asked?.program).toMatch(/^\/.*\/sh$/);
  });

  it("are left to a wrapper that sets them itself", async () => {
    let asked: WrapRequest | undefined;
    const wrap = (request: WrapRequest) => {
      asked = request;
      return ["/bin/sh", "-c", 'exec "$@"', "sh", ...request.command.argv] as const;
    };
    const sandbox = floor({ backend: "wrapped", wrap, wrapperSets: ["rlimits", "temp"] });
    const outcome = await sandbox.run(sh('ulimit -S -t; echo "$TMP"', { ...three, maxTempBytes: 1 }));

    expect(outcome.stdout.text).toBe("unlimited\n\n");
    expect(asked?.command.argv).toEqual(["sh", "-c", 'ulimit -S -t; echo "$TMP"']);
    expect(asked?.rlimits?.cpuSeconds).toEqual({ soft: 8, hard: 9 });
  });

  it("are told apart from the command also when it cannot be started behind a wrapper", async () => {
    writeFileSync(join(cwd, "lost"), "#!/no/such/interpreter\n", { mode: 0o755 });
    const wrap = ({ command }: WrapRequest) => ["/bin/sh", "-c", 'exec "$@"', "sh", ...command.argv] as const;
    const wrapped = floor({ backend: "wrapped", wrap });

    await expect(wrapped.run({ argv: ["./lost"], cwd, limits: three })).rejects.toMatchObject({ kind: "spawn-failed" });
    const running = await wrapped.spawn({ argv: ["./lost"], cwd, limits: three });
    await expect(running.outcome).rejects.toMatchObject({ kind: "spawn-failed" });
    await running.kill();
  });

  it("leave a command alone that prints what such a program would", async () => {
    const source = `echo "prlimit: failed to execute sh: No such file or directory" >&2; exit 127`;
    const outcome = await floor().run(sh(source, three));

    expect(outcome).toMatchObject({
      exitCode: 127,
      capHit: null,
      stderr: { text: expect.stringMatching(/^prlimit: /) },
    });
  });

  it("do not change a program's own name, nor one that looks like an option", async () => {
    const tool = join(cwd, "-tool");
    writeFileSync(tool, "#!/bin/sh\necho ran\n", { mode: 0o755 });
    const env = { PATH: `${cwd}:${process.env.PATH}` };

    expect((await floor().run(sh("echo $0", three))).stdout.text).toBe("sh\n");
    expect((await floor().run({ argv: ["-tool"], cwd, env, limits: three })).stdout.text).toBe("ran\n");
  });
});

describe.skipIf(process.platform !== "linux")("caps by looking [needs Linux]", () => {
  it("name who stays at its limit of descriptors", async () => {
    const source = `try { for (;;) require("fs").openSync("/dev/null"); } catch {}
      setInterval(() => require("fs").existsSync(process.cwd()) || process.exit(), 100);`;
    const argv = [process.execPath, "-e", source] as const;
    const outcome = await floor().run({ argv, cwd, timeoutMs: 60_000, limits: { maxOpenFiles: 64 } });

    expect(outcome).toMatchObject({ capHit: "open-files", exitCode: null });
  });

  it("name who ignores that its file is full", async () => {
    const source = `trap '' XFSZ; exec 3> full; head -c 300000 /dev/zero >&3 2>/dev/null; while [ -e "$PWD/." ]; do sleep 0.1; done`;
    const outcome = await floor().run(sh(source, { maxFileBytes: 131_072 }));

    expect(outcome).toMatchObject({ capHit: "file-size", exitCode: null });
  });

  it("take SIGXCPU that a command sends itself for what it is", async () => {
    const outcome = await floor().run(sh("kill -XCPU $$", { maxCpuMs: 60_000 }));

    expect(outcome).toMatchObject({ capHit: null, signal: "SIGXCPU" });
  });

  it("hold less than a second of CPU time, which the kernel's limit cannot", async () => {
    const outcome = await floor().run(sh(`while [ -e "$PWD/." ]; do :; done`, { maxCpuMs: 100 }));

    expect(outcome).toMatchObject({ capHit: "cpu", signal: "SIGKILL" });
  });
});

describe.skipIf(process.platform === "win32")("a temporary folder of its own [needs sh]", () => {
  const limits = { maxTempBytes: 1_048_576 };
  const left = (folder: string) => existsSync(folder);

  it("goes with a command that cannot be started, or is cancelled", async () => {
    const stop = new AbortController();
    let folder = "";
    const onOutput = (_: string, text: string) => {
      folder = text.trim();
      stop.abort();
    };
    const source = `trap '' TERM; touch "$TMPDIR/file"; echo "$TMPDIR"; sleep 60 & wait; sleep 60`;
    const outcome = await floor({ graceMs: 50 }).run(sh(source, limits, { signal: stop.signal, onOutput }));
    expect(outcome).toMatchObject({ stopped: "cancelled" });
    expect([folder !== "", left(folder)]).toEqual([true, false]);

    const beside = join(folder, "..");
    const before = readdirSync(beside).filter((name) => name.includes(`-${process.pid}-`));
    writeFileSync(join(cwd, "plain"), "exit");
    await expect(floor().run({ argv: ["./plain"], cwd, limits })).rejects.toMatchObject({ kind: "spawn-failed" });
    expect(readdirSync(beside).filter((name) => name.includes(`-${process.pid}-`))).toEqual(before);
  });

  it("is not there for a command without the cap", async () => {
    expect((await floor().run(sh('echo "$TMPDIR|$TMP|$TEMP"'))).stdout.text).toBe(`${process.env.TMPDIR ?? ""}||\n`);
  });

  it("stands over one that the command is given", async () => {
    const env = { TMPDIR: "/elsewhere", TMP: "/elsewhere" };
    const outcome = await floor().run(sh('echo "$TMPDIR"; echo "$TMP"', limits, { env }));

    expect(outcome.stdout.text).not.toContain("elsewhere");
  });
});
