import { Policy } from "@harness/policy";
import { type SandboxCommand, SandboxError, type SandboxNeeds, type Tool } from "@harness/spec";
import { call, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { command } from "../contract/contract-input.js";
import { type CheckingSandbox, checkingSandbox } from "../gate/gates.test-support.js";
import { only, openStage } from "../run/stage.test-support.js";
import { writer } from "../tools/tools.test-support.js";

const stage = openStage();
const script = [call("exec"), say("Done.")];

/** A tool that runs one command with `rest` of its own. */
function runner(rest: Partial<SandboxCommand> = {}): Tool {
  return writer("exec", async (_input, { sandbox, workspace }) => {
    await sandbox.run({ argv: ["make"], cwd: workspace, ...rest });
  });
}

/** A sandbox that is made for a run, and what it was made for. */
function madeSandbox(rest: Partial<CheckingSandbox> = {}) {
  const needs: SandboxNeeds[] = [];
  const sandbox = { ...checkingSandbox(0), ...rest };
  let closed = 0;
  const close = async () => {
    closed += 1;
  };
  return {
    sandbox,
    needs,
    source: async (asked: SandboxNeeds) => {
      needs.push(asked);
      return { ...sandbox, close };
    },
    get closed() {
      return closed;
    },
  };
}

describe("where a command may write and whether it may dial", () => {
  it.each<[string, Partial<SandboxCommand>, Policy, Partial<SandboxCommand>]>([
    ["is the contract's and the policy's", {}, Policy.permissive(), { mode: "workspace-write", egress: "allow" }],
    [
      "is less where the tool asks for less",
      { mode: "read-only", egress: "deny" },
      Policy.permissive(),
      { mode: "read-only", egress: "deny" },
    ],
    [
      "is not more where a tool asks for it",
      { egress: "allow" },
      Policy.permissive().defaults({ net: "deny" }),
      { egress: "deny" },
    ],
    [
      "is closed where hosts are named: a command cannot be held to them",
      {},
      Policy.permissive().defaults({ net: "deny" }).allowNet("example.com"),
      { egress: "deny" },
    ],
  ])("%s", async (_what, rest, policy, expected) => {
    const sandbox = checkingSandbox(0);
    const { events } = await stage.drive(script, { tools: [runner(rest)], sandbox, policy });

    expect(sandbox.commands).toMatchObject([{ workspace: stage.root, ...expected }]);
    expect(only(events, "sandbox.started")).toMatchObject([expected]);
  });

  it("is refused to a command that needs a wider mode: nothing is started", async () => {
    const sandbox = checkingSandbox(0);
    const { events } = await stage.drive(script, {
      tools: [runner({ mode: "workspace-write" })],
      sandbox,
      contract: { mode: "read-only" },
    });

    expect(sandbox.commands).toEqual([]);
    expect(only(events, "act.refused")).toMatchObject([
      { act: "exec", target: "make", reason: "tool", content: { detail: expect.stringContaining("read-only") } },
    ]);
  });

  it("holds for the gate as for calls", async () => {
    const sandbox = checkingSandbox(0);
    await stage.drive([call("exec")], {
      tools: [runner()],
      sandbox,
      contract: { mode: "read-only", verify: command("check") },
    });

    expect(sandbox.commands.map(({ argv, mode }) => [argv[0], mode])).toEqual([
      ["make", "read-only"],
      ["check", "read-only"],
    ]);
  });
});

describe("what a rule denies", () => {
  it("is asked of the policy in force, and not what only a default denies", async () => {
    const sandbox = checkingSandbox(0);
    const policy = new Policy()
      .layer("app")
      .allowExec("*")
      .denyRead(".env")
      .denyWrite("docs/*")
      .allowRead("*")
      .allowWrite("*");
    await stage.drive(script, { tools: [runner({ argv: ["make"] })], sandbox, policy });
    const isDenied = sandbox.commands[0]?.isDenied;

    expect(isDenied?.("read", "a/.env")).toBe(true);
    expect(isDenied?.("write", "docs/a")).toBe(true);
    expect(isDenied?.("read", "src/a")).toBe(false);
    expect(isDenied?.("read", "a\0b"), "a name that no rule can speak of").toBe(true);
  });

  it("leaves out what no rule allows", async () => {
    const sandbox = checkingSandbox(0);
    const policy = new Policy().layer("app").allowExec("*").allowWrite("src/*");
    await stage.drive(script, { tools: [{ ...runner(), acts: async () => [] }], sandbox, policy });

    expect(sandbox.commands[0]?.isDenied?.("write", "dist/a")).toBe(false);
  });
});

describe("a sandbox that is made for a run", () => {
  it("is told what the run wants, says what holds, and is closed with the run", async () => {
    const missing = ["Egress cannot be told apart by host here."];
    const made = madeSandbox({ boundary: { roots: ["/cache"], missing } });
    const { events, store } = await stage.drive(script, { tools: [runner()], sandbox: made.source });

    const needs = { workspace: stage.root, mode: "workspace-write", egress: "allow" };
    expect(made.needs).toEqual([needs]);
    expect(made.closed).toBe(1);
    expect(only(events, "run.started")).toMatchObject([
      { backend: "double", containment: { mode: "workspace-write", egress: "allow", roots: ["/cache"], missing } },
    ]);
    await stage.goOn(store, [], { sandbox: made.source });
    expect(made.needs, "a run that has ended needs none").toHaveLength(1);
  });

  it("is made anew for a resume, under the policy of that", async () => {
    const first = madeSandbox();
    const { store } = await stage.drive(script, {
      tools: [runner()],
      sandbox: first.source,
      contract: { limits: { maxSteps: 1 } },
    });
    const again = madeSandbox();
    const policy = Policy.permissive().defaults({ net: "deny" });
    const { events } = await stage.goOn(store, script, {
      tools: [runner()],
      sandbox: again.source,
      policy,
      limits: { maxSteps: 5 },
    });

    expect(again.needs).toMatchObject([{ egress: "deny" }]);
    expect(only(events, "run.resumed")).toMatchObject([{ containment: { egress: "deny" } }]);
    expect([first.closed, again.closed]).toEqual([1, 1]);
  });

  it("that cannot be had ends the start before anything is stored or billed", async () => {
    const refusal = new SandboxError("requirement-unmet", "No sandbox here denies egress. Install bubblewrap.");
    const { handle, store, provider } = stage.begin(script, {
      sandbox: async () => {
        throw refusal;
      },
    });

    await expect(handle.result).rejects.toMatchObject({ code: "sandbox-failed", kind: "requirement-unmet" });
    expect(await store.runs()).toEqual([]);
    expect(provider.asked).toBe(0);
  });

  it("of another version of the ports is refused", async () => {
    const { handle } = stage.begin(script, { sandbox: async () => ({ ...checkingSandbox(0), spec: 2 }) as never });

    await expect(handle.result).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("sandbox"),
    });
  });
});

describe("what a command was kept from", () => {
  it("is in the trace: what was undone and what could not be held", async () => {
    const sandbox = checkingSandbox({
      exitCode: 0,
      undone: ["/w/.git/hooks/x"],
      warnings: ["One folder was not looked at."],
    });
    const { events } = await stage.drive(script, { tools: [runner()], sandbox });

    expect(only(events, "sandbox.finished")).toMatchObject([
      { undone: ["/w/.git/hooks/x"], warnings: ["One folder was not looked at."] },
    ]);
  });
});
