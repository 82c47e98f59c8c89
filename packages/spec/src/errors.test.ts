import { describe, expect, it, vi } from "vitest";
import type * as spec from "./index.js";
import {
  ActRefusedError,
  ConfigError,
  HarnessError,
  isHarnessError,
  LeaseLostError,
  ProviderError,
  ResumeError,
  RunConflictError,
  runId,
  SandboxError,
  StoreError,
  ToolError,
} from "./index.js";

const run = runId("run-1");
const one = {
  config: new ConfigError("limits.maxSteps must be positive.", { path: ["limits", "maxSteps"] }),
  resume: new ResumeError("Run run-1 has another goal.", { runId: run }),
  lease: new LeaseLostError(run, "another process took it over"),
  conflict: new RunConflictError(run, "host:1", Date.UTC(2026, 0, 1)),
  store: new StoreError("full", "The disk is full."),
  provider: new ProviderError("auth", "vendor", "The key was refused.", { status: 401 }),
  sandbox: new SandboxError("unavailable", "There is no such program: npx."),
  act: new ActRefusedError("write", "../x", "leaves the workspace"),
  tool: new ToolError("There is no file a.ts."),
};

describe("isHarnessError", () => {
  it.each(Object.values(one).map((error) => [error.name, error] as const))(
    "knows %s, and its class's name",
    (name, error) => {
      expect(isHarnessError(error)).toBe(true);
      expect(error).toBeInstanceOf(HarnessError);
      expect(error.constructor.name).toBe(name);
    },
  );

  it("agrees with another installed copy, where instanceof does not", async () => {
    vi.resetModules();
    const copy: typeof spec = await import("./index.js");
    const error = new copy.StoreError("busy", "Try again.");

    expect(copy.StoreError).not.toBe(StoreError);
    expect(error).not.toBeInstanceOf(StoreError);
    expect(isHarnessError(error)).toBe(true);
    expect(copy.isHarnessError(one.store)).toBe(true);
  });

  it.each([
    ["an ordinary error", new Error("no")],
    ["an object with a code", { code: "store-failed" }],
    ["null", null],
    ["undefined", undefined],
    ["text", "store-failed"],
  ])("says no to %s", (_what, value) => {
    expect(isHarnessError(value)).toBe(false);
  });
});

describe("the error classes", () => {
  it("have a code each", () => {
    const codes = Object.values(one).map(({ code }) => code);

    expect(new Set(codes).size).toBe(codes.length);
  });

  it("say whether another try is worth it", () => {
    const retryable = ["transport", "timeout", "rate-limited", "server", "malformed"] as const;
    const final = ["quota", "context-overflow", "auth", "request", "cancelled"] as const;

    for (const kind of retryable) expect(new ProviderError(kind, "vendor", "no").isRetryable).toBe(true);
    for (const kind of final) expect(new ProviderError(kind, "vendor", "no").isRetryable).toBe(false);
    expect(new ProviderError("request", "vendor", "no", { isRetryable: true }).isRetryable).toBe(true);
    expect(new StoreError("busy", "no").isRetryable).toBe(true);
    expect(new StoreError("corrupt", "no").isRetryable).toBe(false);
  });

  it("name the run and keep the cause", () => {
    const cause = new Error("SQLITE_FULL");

    expect(one.lease).toMatchObject({ runId: run, message: expect.stringContaining("another process took it over") });
    expect(one.conflict).toMatchObject({ runId: run, owner: "host:1" });
    expect(one.conflict.message).toContain("2026-01-01T00:00:00.000Z");
    expect(new StoreError("full", "no", { cause, runId: run })).toMatchObject({ cause, runId: run });
    expect("cause" in new StoreError("full", "no")).toBe(false);
  });
});
