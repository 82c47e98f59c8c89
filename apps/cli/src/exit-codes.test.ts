import {
  ConfigError,
  callId,
  LeaseLostError,
  type PlanId,
  type QuestionId,
  type RequestId,
  ResumeError,
  RunConflictError,
  type RunOutcome,
  runId,
  StoreError,
} from "@harness/spec";
import { describe, expect, it } from "vitest";
import { exitCodeOf, exitCodeOfError } from "./exit-codes.js";

const error = { code: "provider-failed", message: "no" };
const outcomes: readonly (readonly [number, RunOutcome])[] = [
  [0, { type: "success", steps: 1 }],
  [0, { type: "finished", steps: 1 }],
  [1, { type: "budget", steps: 1, limit: "steps" }],
  [1, { type: "stalled", steps: 1 }],
  [1, { type: "denied", steps: 1 }],
  [1, { type: "plan-rejected", steps: 1 }],
  [3, { type: "awaiting-approval", steps: 1, requestId: "r/1.1" as RequestId }],
  [3, { type: "awaiting-answer", steps: 1, questionId: "r/1.1" as QuestionId }],
  [3, { type: "awaiting-plan", steps: 1, planId: "r/1.1" as PlanId }],
  [3, { type: "awaiting-recovery", steps: 1, callId: callId(1, 1) }],
  [4, { type: "refused", steps: 0, target: "api.example.com:443" }],
  [5, { type: "failed", steps: 1, error, isRetryable: false }],
  [130, { type: "cancelled", steps: 1 }],
];

describe("exit codes", () => {
  it.each(outcomes)("%i stands for the outcome %o", (code, outcome) => {
    expect(exitCodeOf(outcome)).toBe(code);
  });

  it.each([
    [2, new ConfigError("no")],
    [2, new ResumeError("no")],
    [2, new RunConflictError(runId("r"), "somebody", 0)],
    [5, new StoreError("corrupt", "no")],
    [5, new LeaseLostError(runId("r"), "no")],
    [5, new TypeError("a defect")],
    [5, "not even an error"],
  ])("%i stands for %s", (code, problem) => {
    expect(exitCodeOfError(problem)).toBe(code);
  });
});
