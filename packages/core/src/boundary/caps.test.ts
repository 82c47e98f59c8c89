import type { SandboxLimits, Tool } from "@harness/spec";
import { call, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { command } from "../contract/contract-input.js";
import { checkingSandbox } from "../gate/gates.test-support.js";
import { only, openStage } from "../run/stage.test-support.js";
import { writer } from "../tools/tools.test-support.js";

const stage = openStage();
const caps = { maxMemoryBytes: 1_000, maxProcesses: 10 };

/** A tool that runs one command with `limits` of its own. */
function runner(limits?: SandboxLimits): Tool {
  const argv = ["make"] as const;
  return writer("exec", async (_input, { sandbox, workspace }) => {
    await sandbox.run({ argv, cwd: workspace, ...(limits && { limits }) });
  });
}

describe("the contract's caps", () => {
  it.each<[string, SandboxLimits | undefined, SandboxLimits]>([
    ["hold for a command without any", undefined, caps],
    ["can be lowered by a tool", { maxMemoryBytes: 10 }, { maxMemoryBytes: 10, maxProcesses: 10 }],
    ["cannot be raised by a tool", { maxMemoryBytes: 5_000, maxProcesses: 11 }, caps],
    ["stand beside a tool's own", { maxWallMs: 5 }, { ...caps, maxWallMs: 5 }],
  ])("%s", async (_what, limits, expected) => {
    const sandbox = checkingSandbox(0);
    const { events } = await stage.drive([call("exec"), say("Done.")], {
      tools: [runner(limits)],
      sandbox,
      contract: { caps },
    });

    expect(sandbox.commands.map((ran) => ran.limits)).toEqual([expected]);
    expect(only(events, "sandbox.started").map((event) => event.limits)).toEqual([expected]);
  });

  it("are none unless given, for commands of calls", async () => {
    const sandbox = checkingSandbox(0);
    await stage.drive([call("exec"), say("Done.")], { tools: [runner()], sandbox });

    expect(sandbox.commands.map(({ limits }) => limits)).toEqual([{}]);
  });

  it("are the gate's own for the gate, which has some unless told otherwise", async () => {
    const sandbox = checkingSandbox(0);
    for (const verify of [command("npm", "test"), command(["npm", "test"], { caps: {}, timeoutMs: 7 })]) {
      await stage.drive([say("Done.")], { tools: [], sandbox, contract: { verify, caps } });
    }

    expect(sandbox.commands.map(({ limits }) => limits)).toEqual([
      { maxWallMs: 120_000, maxCpuMs: 60_000, maxMemoryBytes: 2 * 1024 ** 3, maxOpenFiles: 512 },
      { maxWallMs: 7 },
    ]);
  });
});
