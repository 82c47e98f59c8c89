import { Policy } from "@harness/policy";
import { SandboxError } from "@harness/spec";
import { call, fakeClock, type Script, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { command } from "../contract/contract-input.js";
import { only, openStage, rowsIn, storeWith, typesOf } from "../run/stage.test-support.js";
import { memoryStore } from "../store/memory-store.js";
import { reader, slowStore, writer } from "../tools/tools.test-support.js";
import { checkingSandbox, type Ending } from "./gates.test-support.js";

const stage = openStage();
const verify = command("npm", "test");
const tools = [reader(), writer()];
const printing = (exitCode: number, stdout: string, stderr = ""): Ending => ({
  exitCode,
  stdout: { text: stdout, elidedBytes: 0 },
  stderr: { text: stderr, elidedBytes: 0 },
});

/** What the model reads behind its first step, when the gate ended as `ending` says. */
async function noteOf(ending: Ending, gate = verify): Promise<string> {
  const endings = [ending, 0];
  const sandbox = checkingSandbox(() => endings.shift() ?? 0);
  const { provider } = await stage.drive([call("look"), call("change")], {
    tools,
    sandbox,
    contract: { verify: gate },
  });
  const last = provider.requests[1]?.request.messages.at(-1);
  return last?.role === "user" ? last.text : "";
}

describe("a command gate", () => {
  it("ends the run as a success when it passes, behind the step that made it pass", async () => {
    const endings = [1, 0];
    const sandbox = checkingSandbox(() => endings.shift() ?? 0);
    const { outcome, events } = await stage.drive([call("look"), call("change")], {
      tools,
      sandbox,
      contract: { verify },
    });

    expect(outcome).toEqual({ type: "success", steps: 2 });
    expect(only(events, "gate.finished")).toMatchObject([
      { step: 1, attempt: 1, result: "failed", exitCode: 1 },
      { step: 2, attempt: 2, result: "passed", exitCode: 0 },
    ]);
    expect(only(events, "step.finished").map(({ ends }) => ends)).toEqual([null, { type: "success" }]);
  });

  it("is run in the workspace, with its own time and the contract's variables, and is in the trace", async () => {
    const sandbox = checkingSandbox(0);
    const gate = command(["npm", "test"], { timeoutMs: 7_000 });
    const { events } = await stage.drive([call("look")], { tools, sandbox, contract: { verify: gate, env: ["CI"] } });

    expect(sandbox.commands).toMatchObject([
      { argv: ["npm", "test"], cwd: stage.root, limits: { maxWallMs: 7_000 }, inherit: ["CI"] },
    ]);
    expect(only(events, "sandbox.finished")).toMatchObject([{ owner: "gate", exitCode: 0 }]);
  });

  it("judges what is durable: the step's completion and calls are in the log before it runs", async () => {
    const seen: string[] = [];
    const store = memoryStore();
    const sandbox = checkingSandbox(async () => {
      for (const { facts } of await rowsIn(store)) seen.push(JSON.parse(facts).type);
      return 0;
    });

    await stage.drive([call("change")], { tools, sandbox, store: slowStore(store), contract: { verify } });

    expect(seen).toContain("tool.finished");
  });

  it("is asked behind a quiet step as well, which is no answer to it", async () => {
    const sandbox = checkingSandbox(1);
    const { outcome, events } = await stage.drive([say("I am done."), say("Really."), call("look")], {
      tools,
      sandbox,
      contract: { verify, limits: { maxSteps: 3 } },
    });

    expect(outcome).toEqual({ type: "budget", limit: "steps", steps: 3 });
    expect(only(events, "gate.finished")).toHaveLength(3);
  });

  it.each<[what: string, gate: ReturnType<typeof command>, ending: Ending, passes: boolean]>([
    ["another code that was asked for", command(["grep", "x"], { expectExit: 1 }), 1, true],
    ["0 when another code was asked for", command(["grep", "x"], { expectExit: 1 }), 0, false],
    [
      "a signal that has the number",
      command(["npm", "test"], { expectExit: 137 }),
      { exitCode: null, signal: "SIGKILL" },
      false,
    ],
    ["the right code at its cap", verify, { exitCode: 0, capHit: "output" }, false],
    ["no code because its time was over", verify, { exitCode: null, signal: "SIGKILL", capHit: "wall" }, false],
    ["no code because it was stopped", verify, { exitCode: null, stopped: "timeout" }, false],
  ])("that ends with %s passes only where that is right", async (_what, gate, ending, passes) => {
    const { events } = await stage.drive([call("look")], {
      tools,
      sandbox: checkingSandbox(ending),
      contract: { verify: gate, limits: { maxSteps: 1 } },
    });

    expect(only(events, "gate.finished")).toMatchObject([{ result: passes ? "passed" : "failed" }]);
  });
});

describe("what a failed gate printed", () => {
  it("is shown to the model in the next step, marked as the check's", async () => {
    const note = await noteOf(printing(2, "1 test failed: sum", "Error: 3 is not 4"));

    expect(note).toContain("check");
    expect(note).toContain("exited 2");
    expect(note).toContain("1 test failed: sum");
    expect(note).toContain("Error: 3 is not 4");
  });

  it("is shown up to 4,000 code points, head and tail", async () => {
    const note = await noteOf(printing(1, `${"😀".repeat(3_000)}${"x".repeat(2_000)}${"é".repeat(3_000)}`));

    expect([...note].filter((point) => point === "😀")).toHaveLength(2_000);
    expect([...note].filter((point) => point === "é")).toHaveLength(2_000);
    expect(note).toContain("4000 of 8000");
    expect(note.isWellFormed()).toBe(true);
  });

  it("is whole when it has 4,000 code points", async () => {
    expect(await noteOf(printing(1, "😀".repeat(4_000)))).toContain("😀".repeat(4_000));
  });

  it("is hidden when the contract says so, and only the verdict is shown", async () => {
    const hidden = command(["npm", "test"], { reveal: false });
    const note = await noteOf(printing(1, "hidden test: sum(2, 2)"), hidden);

    expect(note).toContain("exited 1");
    expect(note).not.toContain("hidden test");
  });

  it("is in the log either way", async () => {
    const { events } = await stage.drive([call("look")], {
      tools,
      sandbox: checkingSandbox(printing(1, "printed")),
      contract: { verify: command(["npm", "test"], { reveal: false }), limits: { maxSteps: 1 } },
    });

    expect(only(events, "gate.finished")).toMatchObject([{ reveal: false, content: { output: "printed" } }]);
  });
});

describe("a gate that cannot run", () => {
  const script: Script = [call("look"), say("Done.")];
  const failed = { type: "failed", steps: 0, isRetryable: false, error: { code: "gate-errored" } };

  it.each<[why: string, policy: Policy]>([
    ["denied", Policy.permissive().denyExec("npm*")],
    ["to be asked about", Policy.permissive().askExec("npm")],
    ["denied by default", Policy.permissive().defaults({ exec: "deny" })],
  ])("because it is %s ends the run as failed, and is asked again by a resume", async (_why, policy) => {
    const sandbox = checkingSandbox(0);
    const first = await stage.drive(script, { tools, sandbox, policy, contract: { verify } });

    expect(first.outcome).toMatchObject(failed);
    expect(only(first.events, "gate.finished")).toMatchObject([
      { result: "errored", content: { detail: expect.stringContaining("npm test") } },
    ]);
    expect(sandbox.commands).toEqual([]);
    const again = await stage.goOn(first.store, [], { tools, sandbox, policy: Policy.permissive() });
    expect(again.outcome).toEqual({ type: "success", steps: 1 });
    expect(again.provider.asked).toBe(0);
  });

  it.each([
    ["rejects", () => Promise.reject(new SandboxError("unavailable", "There is no npm here."))],
    [
      "throws at once",
      () => {
        throw new SandboxError("unavailable", "There is no npm here.");
      },
    ],
  ])("because the sandbox %s ends the run as failed, saying why", async (_how, ending) => {
    const { outcome } = await stage.drive(script, { tools, sandbox: checkingSandbox(ending), contract: { verify } });

    expect(outcome).toMatchObject({ ...failed, error: { code: "gate-errored", message: "There is no npm here." } });
  });

  it("still ends as failed when it is resumed and cannot run again", async () => {
    const policy = Policy.permissive().denyExec("npm*");
    const sandbox = checkingSandbox(0);
    const { store, outcome } = await stage.drive(script, { tools, sandbox, policy, contract: { verify } });

    const again = await stage.goOn(store, [], { tools, sandbox });

    expect(again.outcome).toEqual(outcome);
    expect(only(again.events, "gate.finished").map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe("a gate that is under way when the run is cancelled", () => {
  /** Cancels while the gate runs; `listens` says whether the command ends then. */
  async function cancelled(listens: boolean) {
    const clock = fakeClock(0);
    const stop = new AbortController();
    const sandbox = checkingSandbox(async ({ signal }) => {
      queueMicrotask(() => stop.abort("enough"));
      await new Promise<void>((resolve) => listens && signal?.addEventListener("abort", () => resolve()));
      return { exitCode: null, stopped: "cancelled" };
    });
    const begun = stage.begin([call("change"), say("Done.")], {
      tools,
      sandbox,
      clock,
      signal: stop.signal,
      contract: { verify },
    });
    let isOver = false;
    const done = begun.handle.result.finally(() => {
      isOver = true;
    });
    while (!isOver) await clock.advance(1_000);
    return { ...(await done), store: begun.store };
  }

  it.each([true, false])("ends with it, whether the command listens or not: %s", async (listens) => {
    const { outcome } = await cancelled(listens);

    expect(outcome).toEqual({ type: "cancelled", steps: 0, reason: "enough" });
  });

  it("is run again by a resume, wherever the log was cut", async () => {
    const rows = await rowsIn((await cancelled(true)).store);
    const deadEnds: string[] = [];
    for (let kept = 1; kept <= rows.length; kept += 1) {
      const sandbox = checkingSandbox(0);
      const { outcome } = await stage.goOn(await storeWith(rows, kept), [call("change")], { tools, sandbox });
      if (outcome.type !== "success") deadEnds.push(`${kept}: ${rows[kept - 1]?.facts} → ${JSON.stringify(outcome)}`);
    }
    expect(deadEnds).toEqual([]);
  });
});

describe("a gate that passed", () => {
  it("is not run again by a resume that was cut behind it", async () => {
    const { store, events } = await stage.drive([call("change")], {
      tools,
      sandbox: checkingSandbox(0),
      contract: { verify },
    });
    const [gate] = only(events, "gate.finished");
    const sandbox = checkingSandbox(1);

    const again = await stage.goOn(await storeWith(await rowsIn(store), gate?.seq), [], { tools, sandbox });

    expect(again.outcome).toEqual({ type: "success", steps: 1 });
    expect(sandbox.commands).toEqual([]);
    expect(typesOf(again.events).filter((type) => type === "gate.started")).toHaveLength(1);
  });
});
