import { describe, expect, it } from "vitest";
import { capOfExit, type ExitEvidence } from "./exit-cap.js";

const rlimits = { cpuSeconds: { soft: 10, hard: 11 }, fileBytes: { soft: 1_000, hard: 1_001 } };
const none: ExitEvidence = { seenCpuMs: () => 0, unseenMs: () => 0, mostCpuMs: () => 0, hasFileAt: () => false };
const byCode = (code: number) => ({ code, signal: null });
const bySignal = (signal: string) => ({ code: null, signal });

describe("capOfExit", () => {
  it("takes SIGXCPU for the cap when there was time to use so much", () => {
    expect(capOfExit(bySignal("SIGXCPU"), rlimits, { ...none, mostCpuMs: () => 10_500 })).toBe("cpu");
    expect(capOfExit(bySignal("SIGXCPU"), rlimits, { ...none, mostCpuMs: () => 50 })).toBeUndefined();
  });

  it("takes what a shell makes of SIGXCPU for the cap when so much was seen to be used", () => {
    const seen = { ...none, seenCpuMs: () => 9_900, mostCpuMs: () => 20_000 };
    expect(capOfExit(byCode(152), rlimits, seen)).toBe("cpu");
    expect(capOfExit(byCode(152), rlimits, { ...none, seenCpuMs: () => 50, mostCpuMs: () => 99_000 })).toBeUndefined();
  });

  it("believes what came after a look that is a little old, and no more than there was time for", () => {
    const seen = (seenMs: number, unseenMs: number, mostCpuMs = 99_000) => ({
      ...{ ...none, seenCpuMs: () => seenMs, unseenMs: () => unseenMs, mostCpuMs: () => mostCpuMs },
    });
    const small = { cpuSeconds: { soft: 1, hard: 2 } };

    expect(capOfExit(byCode(152), rlimits, seen(5_000, 4_000))).toBe("cpu");
    expect(capOfExit(byCode(152), rlimits, seen(5_000, 100))).toBeUndefined();
    expect(capOfExit(byCode(152), rlimits, seen(1_000, 60_000))).toBeUndefined();
    expect(capOfExit(byCode(152), small, seen(0, 1_000))).toBe("cpu");
    expect(capOfExit(byCode(152), small, seen(0, 1_000, 300))).toBeUndefined();
  });

  it("takes SIGXFSZ for the cap, and a failure beside a file that stands at its limit", () => {
    const asked: number[] = [];
    const hasFileAt = (bytes: number) => asked.push(bytes) > 0;

    expect(capOfExit(bySignal("SIGXFSZ"), rlimits, none)).toBe("file-size");
    expect(capOfExit(byCode(153), rlimits, { ...none, hasFileAt })).toBe("file-size");
    expect(capOfExit(byCode(1), rlimits, { ...none, hasFileAt })).toBe("file-size");
    expect(asked).toEqual([1_000, 1_000]);
  });

  it.each([
    ["success", byCode(0)],
    ["a failure", byCode(1)],
    ["153", byCode(153)],
    ["137", byCode(137)],
    ["another signal", bySignal("SIGKILL")],
  ])("takes %s for what it is", (_, exit) => {
    expect(capOfExit(exit, rlimits, none)).toBeUndefined();
  });

  it("never names a cap that the command did not have", () => {
    const everything = { seenCpuMs: () => 1e9, unseenMs: () => 0, mostCpuMs: () => 1e9, hasFileAt: () => true };
    for (const exit of [bySignal("SIGXCPU"), bySignal("SIGXFSZ"), byCode(152), byCode(153)]) {
      expect(capOfExit(exit, { openFiles: { soft: 1, hard: 2 } }, everything)).toBeUndefined();
    }
  });
});
