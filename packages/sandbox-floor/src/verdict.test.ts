import { constants } from "node:os";
import { describe, expect, it } from "vitest";
import { cancelled, cap, type Ending, timeout, verdictOf } from "./verdict.js";

const byCode = (code: number) => ({ code, signal: null });
const bySignal = (signal: string) => ({ code: null, signal });
const plain = { stop: undefined, kernelCap: undefined, isRetold: false };
const verdict = (ending: Partial<Ending> & Pick<Ending, "exit">) => verdictOf({ ...plain, ...ending });
const nothing = { exitCode: null, signal: null, capHit: null, stopped: null };

describe("verdictOf", () => {
  it("takes a code and a signal for what they are when nobody ended it", () => {
    expect(verdict({ exit: byCode(3) })).toEqual({ ...nothing, exitCode: 3 });
    expect(verdict({ exit: bySignal("SIGSEGV") })).toEqual({ ...nothing, signal: "SIGSEGV" });
    for (const code of [137, 143, 152, 153]) {
      expect(verdict({ exit: byCode(code), isRetold: true })).toEqual({ ...nothing, exitCode: code });
    }
  });

  it("reports who ended it, and no code that it answered with", () => {
    expect(verdict({ exit: byCode(0), stop: timeout })).toEqual({ ...nothing, stopped: "timeout" });
    expect(verdict({ exit: bySignal("SIGTERM"), stop: cap("wall") })).toEqual({
      ...{ ...nothing, capHit: "wall", signal: "SIGTERM" },
    });
    expect(verdict({ exit: byCode(137), stop: cancelled })).toEqual({ ...nothing, stopped: "cancelled" });
  });

  it("has a stop go before what the status says", () => {
    expect(verdict({ exit: byCode(152), stop: timeout, kernelCap: "cpu" })).toMatchObject({
      stopped: "timeout",
      capHit: null,
    });
  });

  it.each([
    [cancelled, undefined, "SIGTERM"],
    [cancelled, undefined, "SIGKILL"],
    [undefined, "cpu", "SIGXCPU"],
    [undefined, "file-size", "SIGXFSZ"],
  ] as const)("reads a signal that was sent from a number that tells it (%s, %s, %s)", (stop, kernelCap, signal) => {
    const exit = byCode(128 + constants.signals[signal]);

    expect(verdict({ exit, stop, kernelCap, isRetold: true })).toMatchObject({ exitCode: null, signal });
    expect(verdict({ exit, stop, kernelCap, isRetold: false })).toMatchObject({ exitCode: null, signal: null });
  });

  it("reads no signal that nobody sent", () => {
    const exit = byCode(128 + constants.signals.SIGSEGV);

    expect(verdict({ exit, stop: cancelled, isRetold: true })).toMatchObject({ signal: null });
    expect(verdict({ exit: byCode(1), kernelCap: "file-size", isRetold: true })).toEqual({
      ...nothing,
      capHit: "file-size",
    });
  });
});
