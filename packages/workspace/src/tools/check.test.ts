import { SandboxError, type SandboxOutcome } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { actsOf, call, fakeSandbox } from "../test-context.js";
import { checkTool } from "./check.js";

const workspace = "/workspace";
const out = (text: string, elidedBytes = 0) => ({ text, elidedBytes });
const tsc = ["tsc", "--noEmit"] as const;
const cargo = ["cargo", "check", "--message-format=json"] as const;

function checked(command: readonly [string, ...string[]], outcome: Partial<SandboxOutcome> | SandboxError) {
  return call(checkTool({ command }), {}, { workspace, sandbox: fakeSandbox(outcome) });
}

function message(rendered: string): string {
  return JSON.stringify({ reason: "compiler-message", message: { rendered, level: "warning" } });
}

describe("check", () => {
  it("is judged like the command it is", async () => {
    expect(await actsOf(checkTool({ command: tsc }), {}, { workspace })).toEqual([
      { type: "exec", target: "tsc", argv: tsc },
    ]);
    const odd = actsOf(checkTool({ command: ["tsc", "\0"] }), {}, { workspace });
    await expect(odd).rejects.toMatchObject({ code: "act-refused", act: "exec", target: "tsc" });
  });

  it("runs the checker as it stands, in the root, with the contract's deadline and variables", async () => {
    const sandbox = fakeSandbox();
    const signal = new AbortController().signal;
    await call(checkTool({ command: tsc }), {}, { workspace, sandbox, signal, env: ["CI"] });
    expect(sandbox.commands).toEqual([
      { argv: tsc, cwd: workspace, timeoutMs: 900_000, signal, inherit: ["CI"], onOutput: expect.any(Function) },
    ]);
  });

  it("names the checker to the model, and takes no arguments", async () => {
    expect(checkTool({ command: tsc }).description).toContain("tsc --noEmit");
    await expect(call(checkTool({ command: tsc }), { path: "src" }, { workspace })).rejects.toThrow(/^Invalid arg/);
  });

  it.each([
    [
      "what is found on stdout",
      { exitCode: 2, stdout: out("a.ts(1,1): error TS1\n"), stderr: out(" \n") },
      "Findings of tsc --noEmit (exit code 2):\na.ts(1,1): error TS1",
    ],
    [
      "what is found on stderr, which comes first",
      { exitCode: 1, stdout: out("progress"), stderr: out("./a.go:1: undefined: x\n") },
      "Findings of tsc --noEmit (exit code 1):\n./a.go:1: undefined: x",
    ],
    [
      "what is said without an error",
      { exitCode: 0, stdout: out("0 errors, 1 warning\n") },
      "Findings of tsc --noEmit (exit code 0):\n0 errors, 1 warning",
    ],
    [
      "how much is left out",
      { exitCode: 2, stdout: out("a\n[…]\nz\n", 4096) },
      "Findings of tsc --noEmit (exit code 2, 4096 bytes left out):\na\n[…]\nz",
    ],
    ["that nothing is found", { exitCode: 0, stdout: out("\n") }, "Clean: tsc --noEmit found nothing."],
  ])("says %s", async (_what, outcome, text) => {
    expect(await checked(tsc, outcome)).toEqual({ text, changed: false });
  });

  it.each([
    ["a silent failure", { exitCode: 3 }, "Failed: tsc --noEmit ended with exit code 3 and said nothing."],
    [
      "a deadline",
      { exitCode: null, stopped: "timeout" as const, stdout: out("so far") },
      "Failed: Timed out after 900 s and was killed.\nstdout:\nso far",
    ],
    [
      "a cap",
      { exitCode: null, capHit: "memory" as const },
      "Failed: Killed: it went over its cap on memory.\n(no output)",
    ],
    ["a signal", { exitCode: null, signal: "SIGSEGV" }, "Failed: Killed by signal SIGSEGV.\n(no output)"],
    [
      "a missing checker",
      new SandboxError("unavailable", "none"),
      "Failed: tsc is unavailable: there is no such program here.",
    ],
  ])("calls %s an error, and never clean", async (_what, outcome, text) => {
    expect(await checked(tsc, outcome)).toEqual({ text, changed: false, isError: true });
  });

  it("passes on what the sandbox could not do", async () => {
    const running = checked(tsc, new SandboxError("setup-failed", "No room."));
    await expect(running).rejects.toMatchObject({ code: "sandbox-failed", kind: "setup-failed" });
  });

  it.each([undefined, null])(
    "says that it was skipped when the checker is %s, and needs nothing for it",
    async (command) => {
      const tool = command === undefined ? checkTool() : checkTool({ command });
      const sandbox = fakeSandbox();
      expect(await actsOf(tool, {}, { workspace })).toEqual([]);
      const { text, isError } = await call(tool, {}, { workspace, sandbox });
      expect([text.startsWith("Skipped: no checker is known"), isError, sandbox.commands]).toEqual([
        true,
        undefined,
        [],
      ]);
    },
  );
});

describe("check with a checker that speaks cargo's JSON", () => {
  it("shows the messages as they are rendered, and passes over everything else", async () => {
    const lines = [
      '{"reason":"compiler-artifact","target":{"name":"a"}}',
      message("warning: unused variable: `x`\n --> src/main.rs:2:9\n\n"),
      "not JSON",
      '{"reason":"compiler-message","message":{"rendered":null}}',
      '{"reason":"compiler-mess',
      message("error: aborting\n"),
      '{"reason":"build-finished","success":false}',
    ];
    const outcome = { exitCode: 101, stdout: out(`${lines.join("\n")}\n`), stderr: out("    Checking a v0.1.0\n") };
    expect((await checked(cargo, outcome)).text).toBe(
      "Findings of cargo check --message-format=json (exit code 101):\n" +
        "warning: unused variable: `x`\n --> src/main.rs:2:9\n\nerror: aborting",
    );
  });

  it("is clean when no message came, whatever it said of its progress", async () => {
    const outcome = { stdout: out('{"reason":"build-finished","success":true}\n'), stderr: out("    Finished dev\n") };
    expect((await checked(cargo, outcome)).text).toBe("Clean: cargo check --message-format=json found nothing.");
  });

  it("is not clean when messages may be among what was left out", async () => {
    const { text } = await checked(cargo, { stdout: out("[… 9 bytes left out …]\n", 9) });
    expect(text).toMatch(/^Findings of cargo .* \(exit code 0, 9 bytes left out\):\n\(none in what is left\)$/);
  });

  it("shows why nothing could be compiled", async () => {
    const { text } = await checked(cargo, { exitCode: 101, stderr: out("error: failed to parse manifest\n") });
    expect(text).toMatch(/^Findings of cargo .* \(exit code 101\):\nerror: failed to parse manifest$/);
  });
});
