import { SandboxError, type SandboxOutcome } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { actsOf, call, fakeSandbox } from "../test-context.js";
import { execTool } from "./exec.js";

const workspace = "/workspace";
const out = (text: string, elidedBytes = 0) => ({ text, elidedBytes });

describe("exec", () => {
  it("is judged on the program and the whole command", async () => {
    expect(await actsOf(execTool(), { argv: ["git", "push", "a b"] }, { workspace })).toEqual([
      { type: "exec", target: "git", argv: ["git", "push", "a b"] },
    ]);
  });

  it("hands the arguments to the sandbox as they are, in the root, with the contract's deadline and variables", async () => {
    const sandbox = fakeSandbox({ stdout: out("hello\n") });
    const seen: string[] = [];
    const signal = new AbortController().signal;
    const argv = ["echo", "a;b && $(id)", ""];
    const calling = { workspace, sandbox, signal, env: ["CI"], progress: (text: string) => seen.push(text) };
    const result = await call(execTool(), { argv }, calling);
    expect(sandbox.commands).toEqual([
      { argv, cwd: workspace, timeoutMs: 900_000, signal, inherit: ["CI"], onOutput: expect.any(Function) },
    ]);
    expect(seen).toEqual(["hello\n"]);
    expect(result).toEqual({ text: "Exit code 0.\nstdout:\nhello", changed: false });
  });

  it.each([
    ["both streams", { exitCode: 1, stdout: out("a\n"), stderr: out("b\n") }, "Exit code 1.\nstdout:\na\nstderr:\nb"],
    ["silence", { exitCode: 0, stdout: out(" \n") }, "Exit code 0.\n(no output)"],
    ["a signal", { exitCode: null, signal: "SIGSEGV" }, "Killed by signal SIGSEGV.\n(no output)"],
    ["output left out", { stdout: out("a\n[…]\nz\n", 4096) }, "Exit code 0.\nstdout (4096 bytes left out):\na\n[…]\nz"],
  ])("answers with %s", async (_what, outcome, text) => {
    const result = await call(execTool(), { argv: ["x"] }, { workspace, sandbox: fakeSandbox(outcome) });
    expect(result).toEqual({ text, changed: false });
  });

  it.each([
    ["a deadline", { exitCode: null, stopped: "timeout" as const }, "Timed out after 900 s and was killed."],
    ["a cap", { exitCode: null, capHit: "memory" as const }, "Killed: it went over its cap on memory."],
    ["a cancellation", { exitCode: null, stopped: "cancelled" as const }, "Cancelled before it ended."],
  ])("calls %s an error that keeps what was printed", async (_what, outcome, ending) => {
    const sandbox = fakeSandbox({ ...outcome, stdout: out("so far") });
    const result = await call(execTool(), { argv: ["x"] }, { workspace, sandbox });
    expect(result).toEqual({ text: `${ending}\nstdout:\nso far`, changed: false, isError: true });
  });

  it.each<[string, Partial<SandboxOutcome>, boolean, string]>([
    ["a file that was refused", { stderr: out("touch: /etc/x: Read-only file system") }, true, "may have refused it"],
    ["an error code of a refusal", { exitCode: 0, stdout: out("EACCES: open /etc/x") }, true, "may have refused it"],
    ["what was removed again", { undone: ["/workspace/.git/hooks/x"] }, true, '"/workspace/.git/hooks/x" is protected'],
    ["what could not be held", { warnings: ["One folder could not be looked at."] }, false, "One folder could not"],
  ])("tells the model of %s", async (_what, outcome, writes, note) => {
    const sandbox = { ...fakeSandbox(outcome), enforces: { writes } as never };
    const { text } = await call(execTool(), { argv: ["x"] }, { workspace, sandbox });
    expect(text).toContain(`\nNote: `);
    expect(text).toContain(note);
  });

  it("blames no sandbox that confines nothing", async () => {
    const sandbox = fakeSandbox({ stderr: out("Permission denied") });
    const { text } = await call(execTool(), { argv: ["x"] }, { workspace, sandbox });
    expect(text).not.toContain("Note:");
  });

  it("says that there is no such program", async () => {
    const sandbox = fakeSandbox(new SandboxError("unavailable", "none"));
    const result = await call(execTool(), { argv: ["nope"] }, { workspace, sandbox });
    expect(result).toEqual({
      text: "nope is unavailable: there is no such program here.",
      isError: true,
      changed: false,
    });
  });

  it("passes on what the sandbox could not do", async () => {
    const sandbox = fakeSandbox(new SandboxError("setup-failed", "No room."));
    const running = call(execTool(), { argv: ["x"] }, { workspace, sandbox });
    await expect(running).rejects.toMatchObject({ code: "sandbox-failed", kind: "setup-failed" });
  });

  it.each([
    {},
    { argv: [] },
    { argv: [" "] },
    { argv: ["", "x"] },
    { argv: ["ls", 7] },
    { argv: "ls" },
    { argv: ["ls"], cwd: "/" },
  ])("calls %j wrong arguments", async (args) => {
    await expect(call(execTool(), args, { workspace })).rejects.toThrow(/^Invalid arguments/);
  });

  it.each([[["ls", "a\0b"]], [["l\0s"]], [["ls", "\udc00"]]])("refuses %j before any rule", async (argv) => {
    const planned = actsOf(execTool(), { argv }, { workspace });
    await expect(planned).rejects.toMatchObject({ code: "act-refused", act: "exec", target: argv[0] });
  });

  it.each([
    [["npm", "test"], "replayable"],
    [["npm", "test", "--", "-u"], "replayable"],
    [["npm"], "indeterminate"],
    [["npm", "tests"], "indeterminate"],
    [["npm test"], "indeterminate"],
    [["/usr/bin/npm", "test"], "indeterminate"],
    [["make", "check"], "replayable"],
  ])("may repeat %j after a crash: %s", (argv, expected) => {
    const { recovery } = execTool({ replayable: ["npm test", " make  check ", "", "  "] });
    expect(typeof recovery === "function" && recovery({ argv })).toBe(expected);
  });

  it.each([
    [["make"], "replayable"],
    [["make", "deploy"], "indeterminate"],
    [["go", "vet", "./..."], "replayable"],
    [["go", "vet"], "indeterminate"],
    [["npm", "test", "--", "-u"], "replayable"],
  ])("may repeat %j after a crash, when others may be only as they stand: %s", (argv, expected) => {
    const { recovery } = execTool({ replayable: ["npm test"], replayableExactly: [["make"], ["go", "vet", "./..."]] });
    expect(typeof recovery === "function" && recovery({ argv })).toBe(expected);
  });
});
