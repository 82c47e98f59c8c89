import { describe, expect, it } from "vitest";
import { callId, isEnding, qualified, type RequestId, type RunOutcome, runId } from "./index.js";

describe("ids", () => {
  it("take a run's id as it is", () => {
    expect(runId("run-1")).toBe("run-1");
    expect(runId("x".repeat(200))).toHaveLength(200);
    expect(runId("parent/3.1")).toBe("parent/3.1");
  });

  it.each([
    ["empty text", ""],
    ["more than 200 characters", "x".repeat(201)],
    ["a line break", "run\n1"],
    ["a NUL", "run\u0000"],
    ["a C1 control character", "run\u0085"],
  ])("refuse %s as a run's id", (_what, text) => {
    expect(() => runId(text)).toThrow(TypeError);
  });

  it("name a call by its position, and in full with its run", () => {
    const call = callId(3, 2);

    expect(call).toBe("3.2");
    expect(qualified<RequestId>(runId("run-1"), call)).toBe("run-1/3.2");
  });
});

describe("isEnding", () => {
  it.each<[RunOutcome["type"], boolean]>([
    ["success", true],
    ["finished", true],
    ["stalled", true],
    ["denied", true],
    ["refused", true],
    ["plan-rejected", true],
    ["budget", false],
    ["failed", false],
    ["cancelled", false],
    ["awaiting-approval", false],
    ["awaiting-answer", false],
    ["awaiting-plan", false],
    ["awaiting-recovery", false],
  ])("says of %s: %s", (type, expected) => {
    expect(isEnding({ type, steps: 1 } as RunOutcome)).toBe(expected);
  });
});
