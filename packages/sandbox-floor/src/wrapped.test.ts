// The seam for native backends, with wrappers of a few lines of shell: what they are given, what they tell, and that nothing of
// them is left on any way out.
import {
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxCommand, SandboxError } from "@harness/spec";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { floor, type Wrapped, type WrapRequest } from "./index.js";

let cwd: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "harness-wrapped-")));
  writeFileSync(join(cwd, "given"), "what was given\n");
});
afterAll(() => rmSync(cwd, { recursive: true }));

const sh = (source: string, rest: Partial<SandboxCommand> = {}): SandboxCommand => ({
  ...{ argv: ["sh", "-c", source], cwd, timeoutMs: 60_000 },
  ...rest,
});

type Making = Partial<Wrapped> | ((request: WrapRequest) => Partial<Wrapped>);

/** A floor whose wrapper does what `script` says and then becomes the command. */
function behind(script: string, making: Making = {}, options = {}) {
  return floor({
    ...{ backend: "wrapped", ...options },
    wrap: (request) => ({
      argv: ["/bin/sh", "-c", `${script}; exec "$@"`, "wrapper", ...request.command.argv],
      ...(typeof making === "function" ? making(request) : making),
    }),
  });
}

const told: Partial<Wrapped> = {
  descriptors: [{ type: "status" }],
  status: (said) => ({ hasRun: said.includes("ran") }),
};
const tells = "echo ran >&3; exec 3>&-";

describe.skipIf(process.platform === "win32")("a wrapper [its payloads need sh]", () => {
  it("gets its descriptors from 3 on, in the order given", async () => {
    const file = (): Wrapped["descriptors"] => [
      { type: "open", fd: openSync(join(cwd, "given"), "r") },
      { type: "status" },
      { type: "open", fd: openSync(join(cwd, "taken"), "w") },
    ];
    const script = "cat <&3 >&5; echo ran >&4; exec 3<&- 4>&- 5>&-";
    const sandbox = behind(script, () => ({ ...told, descriptors: file() ?? [] }));

    expect(await sandbox.run(sh("cat taken"))).toMatchObject({ exitCode: 0, stdout: { text: "what was given\n" } });
  });

  it("sets variables over those of the command and takes some away, and the mark stays", async () => {
    const variables = { GIVEN: "by the wrapper", HOME: null, HARNESS_COMMAND: null };
    const sandbox = behind(":", { variables }, { newMark: () => "a-mark" });
    const source = `echo "$GIVEN|\${HOME-none}|$HARNESS_COMMAND|$KEPT"`;
    const env = { GIVEN: "by the caller", HOME: "/home", KEPT: "kept" };

    expect((await sandbox.run(sh(source, { env }))).stdout.text).toBe("by the wrapper|none|a-mark|kept\n");
  });

  it("that ends by itself without having run the command is a failure of its own, with its last words", async () => {
    const [failed, killed] = [behind("echo no such mount >&2; exit 7", told), behind("kill -KILL $$", told)];
    const words = /^Could not start "sh": .*ended with code 7 and did not run it; it printed: no such mount\. Run/;

    await expect(failed.run(sh("touch made"))).rejects.toMatchObject({ kind: "wrapper-failed", message: words });
    await expect(killed.run(sh("touch made"))).rejects.toMatchObject({
      kind: "wrapper-failed",
      message: expect.stringMatching(/ended by SIGKILL .*printed nothing/),
    });
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });

  it("is quoted by its last words only", async () => {
    const sandbox = behind("seq 1 2000 >&2; exit 1", told);
    const { message } = (await sandbox.run(sh("")).catch((error: unknown) => error)) as SandboxError;

    expect(message).toMatch(/…[\s\d]+1999\n2000\. Run/);
    expect(message.length).toBeLessThan(2_000);
  });

  it("is not taken for a failed one when the command prints and ends as it would", async () => {
    const outcome = await behind(tells, told).run(sh("echo 'wrapper: cannot mount' >&2; exit 1"));

    expect(outcome).toMatchObject({ exitCode: 1, stderr: { text: "wrapper: cannot mount\n" } });
  });

  it("that is stopped before it ran the command is stopped, not failed", async () => {
    const outcome = await behind("sleep 60", told).run(sh("", { timeoutMs: 100 }));

    expect(outcome).toMatchObject({ stopped: "timeout", exitCode: null });
  });

  it("may talk without end on its status, and is listened to without end", async () => {
    const heard: number[] = [];
    const status: Wrapped["status"] = (said) => ({ hasRun: heard.push(said.length) > 0 && said.startsWith("ran") });
    const outcome = await behind("echo ran >&3; head -c 1000000 /dev/zero >&3; exec 3>&-", { ...told, status }).run(
      sh(""),
    );

    expect(outcome.exitCode).toBe(0);
    expect(Math.max(...heard)).toBe(65_536);
  });

  it("whose status cannot be read has not run the command", async () => {
    const status = () => {
      throw new Error("not JSON");
    };

    await expect(behind(tells, { ...told, status }).run(sh(""))).rejects.toMatchObject({ kind: "wrapper-failed" });
  });

  it("keeps no outcome waiting when the command has its status descriptor too", async () => {
    const outcome = await behind("echo ran >&3", told, { drainMs: 50 }).run(sh("sleep 60 >/dev/null 2>&1 & exit 0"));

    expect(outcome.exitCode).toBe(0);
  });

  it.each([
    ["a reader and no descriptor", { status: () => ({ hasRun: true }) }],
    ["a descriptor and no reader", { descriptors: [{ type: "status" }] }],
    ["two descriptors", { ...told, descriptors: [{ type: "status" }, { type: "status" }] }],
    ["no absolute path", { argv: ["sh"] }],
  ] as const)("is refused with %s", async (_, making) => {
    const after = vi.fn(async () => ({}));

    await expect(behind("", { ...making, after }).run(sh("touch made"))).rejects.toMatchObject({
      kind: "setup-failed",
    });
    expect(after).toHaveBeenCalledTimes(1);
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });
});

describe.skipIf(process.platform !== "linux")("what a wrapper was given [descriptors are looked at in /proc]", () => {
  const open = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === join(cwd, "given");
      } catch {
        return false;
      }
    }).length;

  function subject(script: string, rest: Partial<Wrapped> = {}, onWrap = () => {}) {
    const after = vi.fn(async () => {
      expect(open()).toBe(0);
      return { undone: ["/gone"], warnings: ["One thing stayed."] };
    });
    const sandbox = behind(script, () => {
      onWrap();
      const fd = openSync(join(cwd, "given"), "r");
      return { ...told, after, descriptors: [{ type: "status" }, { type: "open", fd }], ...rest };
    });
    return { sandbox, after };
  }

  it("is closed as soon as it runs, and put in order once when nothing of the command is left", async () => {
    const { sandbox, after } = subject(tells);
    const running = await sandbox.spawn(sh("cat <&4; while [ ! -e go ]; do sleep 0.01; done"));
    expect(open()).toBe(0);
    expect(after).not.toHaveBeenCalled();
    writeFileSync(join(cwd, "go"), "");
    const outcome = await running.outcome;

    expect(outcome).toMatchObject({ exitCode: 0, stdout: { text: "what was given\n" } });
    expect(outcome).toMatchObject({ undone: ["/gone"], warnings: ["One thing stayed."] });
    expect(after).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["cannot be started", "", { argv: ["/no/such/wrapper"] }],
    ["is no program", "", { argv: ["/dev/null"] }],
    ["fails", "exit 1", {}],
  ] as const)("is put in order once when it %s", async (_, script, rest) => {
    const { sandbox, after } = subject(script, rest);

    await expect(sandbox.run(sh(""))).rejects.toMatchObject({ kind: "wrapper-failed" });
    expect(open()).toBe(0);
    expect(after).toHaveBeenCalledTimes(1);
  });

  it("is put in order once when the command is cancelled while it is made", async () => {
    const stop = new AbortController();
    const { sandbox, after } = subject(tells, {}, () => stop.abort());

    await expect(sandbox.run(sh("", { signal: stop.signal }))).rejects.toMatchObject({ kind: "aborted" });
    expect(open()).toBe(0);
    expect(after).toHaveBeenCalledTimes(1);
  });

  it("is put in order once when the command is killed, or is over a cap", async () => {
    const { sandbox, after } = subject(tells);
    const running = await sandbox.spawn(sh("sleep 60"));
    await Promise.all([running.kill(), running.kill()]);
    expect(await running.outcome).toMatchObject({ stopped: "cancelled", undone: ["/gone"] });
    expect(after).toHaveBeenCalledTimes(1);

    expect(await sandbox.run(sh("yes", { limits: { maxOutputBytes: 10 } }))).toMatchObject({ capHit: "output" });
    expect(after).toHaveBeenCalledTimes(2);
  });

  it("may be a temporary folder, which is held to its cap and is the wrapper's to remove", async () => {
    const temp = mkdtempSync(join(cwd, "temp-"));
    const after = async () => {
      rmSync(temp, { recursive: true });
      return {};
    };
    const sandbox = behind(":", { temp, variables: { TMPDIR: temp }, after });
    const source = `head -c 3000000 /dev/zero > "$TMPDIR/file"; echo "$TMPDIR"; sleep 60`;
    const outcome = await sandbox.run(sh(source, { limits: { maxTempBytes: 1e6 } }));

    expect(outcome).toMatchObject({ capHit: "temp", stdout: { text: `${temp}\n` } });
    expect(existsSync(temp)).toBe(false);
    expect(outcome).not.toHaveProperty("warnings");
  });

  it("leaves the outcome as it is when it cannot be put in order", async () => {
    const after = async () => {
      throw new Error("the folder is busy");
    };
    const outcome = await behind(tells, { ...told, after }).run(sh("exit 3"));

    expect(outcome).toMatchObject({ exitCode: 3, warnings: [expect.stringContaining("the folder is busy")] });
  });

  it("says nothing of what there is not", async () => {
    const outcome = await behind(tells, told).run(sh(""));

    expect(outcome).not.toHaveProperty("undone");
    expect(outcome).not.toHaveProperty("warnings");
  });
});
