// What is decided before anything is spawned. Windows is tried here by its name: nothing of it has run there.
import { tmpdir } from "node:os";
import type { SandboxCommand } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { prepareLaunch, type WrapRequest } from "./launch.js";

const windows = { environment: {}, secrets: [], mark: "a-mark", platform: "win32" };

describe("prepareLaunch on Windows", () => {
  it("refuses a batch file, which only a shell can run", async () => {
    const launch = prepareLaunch({ argv: ["npm.CMD", "test"], cwd: tmpdir() }, windows);

    await expect(launch).rejects.toMatchObject({
      kind: "setup-failed",
      message: expect.stringContaining("batch file"),
    });
  });

  it("starts another program as it is", async () => {
    const launch = await prepareLaunch({ argv: ["git.exe", "status"], cwd: tmpdir(), env: { Given: "1" } }, windows);

    expect(launch).toMatchObject({ file: "git.exe", arguments: ["status"] });
    expect(launch.env).toEqual({ TERM: "dumb", GIVEN: "1", HARNESS_COMMAND: "a-mark" });
  });
});

describe("prepareLaunch behind a wrapper", () => {
  const limiter = {
    found: { cpuSeconds: 1e6, openFiles: 1e6, fileBytes: 1e9 },
    launch: () => ({ file: "/limiter", arguments: [], name: "limiter" }),
    argv: (argv: readonly string[]): [string, ...string[]] => ["/limiter", ...argv],
  };
  const options = { environment: {}, secrets: [], mark: "a-mark", limiter };
  const wrap = ({ command }: WrapRequest) => ["/wrapper", ...command.argv] as const;
  const command: SandboxCommand = { argv: [process.execPath, "x"], cwd: tmpdir() };

  it("has what sets limits in front of a program without any, and can tell whose complaint it hears", async () => {
    const bare = await prepareLaunch(command, options);
    const wrapped = await prepareLaunch(command, { ...options, wrap });
    const alone = await prepareLaunch(command, { ...options, wrap, isLimitedByWrapper: true });

    expect([bare.file, bare.limiterName]).toEqual([process.execPath, undefined]);
    expect(wrapped).toMatchObject({ file: "/wrapper", arguments: ["/limiter", process.execPath, "x"] });
    expect(wrapped.limiterName).toMatch(/^caps-/);
    expect(alone).toMatchObject({ file: "/wrapper", arguments: [process.execPath, "x"], limiterName: undefined });
  });
});
