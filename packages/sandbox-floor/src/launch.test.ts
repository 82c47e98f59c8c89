// What is decided for Windows before anything is spawned, tried here by its name: nothing of it has run there.
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { prepareLaunch } from "./launch.js";

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

    expect(launch).toMatchObject({ file: "git.exe", arguments: ["status"], hasWrapper: false });
    expect(launch.env).toEqual({ TERM: "dumb", GIVEN: "1", HARNESS_COMMAND: "a-mark" });
  });
});
