import { describe, expect, it } from "vitest";
import { limiterWords } from "./limiter-words.js";

const command = { argv: ["tool", "x"], program: "/no/such/tool", limiterName: "caps-4711" };

function heard(...parts: string[]) {
  const words = limiterWords(command);
  for (const part of parts) words.push(Buffer.from(part));
  return words;
}

const code = (value: number) => ({ code: value, signal: null });

describe("limiterWords", () => {
  it("tells a limit that could not be set from a command that failed", () => {
    const words = heard("caps-4711: failed to set the NOFILE ", "resource limit: Operation not permitted\n");

    expect(words.failure(code(1))).toMatchObject({ kind: "setup-failed", message: expect.stringContaining("NOFILE") });
  });

  it("tells a program that could not be started as it would be told without a limit", () => {
    const words = heard("caps-4711: 1: exec: tool: not found\n");

    expect(words.failure(code(127))).toMatchObject({
      kind: "spawn-failed",
      message: expect.stringContaining("interpreter"),
    });
    expect(words.failure(code(126))).toMatchObject({
      kind: "spawn-failed",
      message: expect.stringContaining("executed"),
    });
  });

  it("is not taken in by a command that knows how such programs complain", () => {
    for (const text of [
      "prlimit: failed to execute tool: No such file\n",
      "sh: 1: exec: tool: not found\n",
      "caps-: x",
    ]) {
      expect(heard(text).failure(code(127))).toBeUndefined();
    }
    expect(heard("first\n", "caps-4711: late\n").failure(code(127))).toBeUndefined();
  });

  it("believes a command that ended well or by a signal", () => {
    const words = heard("caps-4711: anything\n");

    expect(words.failure(code(0))).toBeUndefined();
    expect(words.failure({ code: null, signal: "SIGKILL" })).toBeUndefined();
  });

  it("keeps no more than the start of what a command prints", () => {
    const words = heard(...Array.from({ length: 100 }, () => "x".repeat(100_000)));

    expect(words.failure(code(1))).toBeUndefined();
  });
});
