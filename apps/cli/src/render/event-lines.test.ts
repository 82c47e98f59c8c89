import { callId, type JudgedAct, type NewEvent, type RequestId } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { asks, lastLines, resumed, started } from "./log.test-support.js";

const call = callId(1, 1);
const step: NewEvent = { type: "step.started", step: 1 };
const act: JudgedAct = {
  act: { type: "exec", target: "npm", argv: ["npm", "run", "a b"] },
  verdict: { effect: "allow" },
};
const toolStarted: NewEvent = { type: "tool.started", step: 1, call, acts: [act] };
const begun = [started, step, asks(1, { name: "exec" })] as const;

function finished(status: "ok" | "error" | "timed-out", text: string): NewEvent {
  return { type: "tool.finished", step: 1, call, status, changed: false, changes: [], content: { text, diffs: [] } };
}

describe("what a call shows", () => {
  it("is what it was allowed to do, by what, and what came of it", () => {
    expect(lastLines(...begun, toolStarted, finished("ok", "Exit code 0.\nfine"))).toEqual([
      '  ✓ exec  npm run "a b" (allowed by the default)',
      "      │ Exit code 0.",
      "      │ fine",
    ]);
  });

  it("is its failure and its words, which cannot steer the terminal", () => {
    expect(lastLines(...begun, toolStarted, finished("timed-out", "\x1b[2Jstopped"))).toEqual([
      '  ✗ exec timed-out  npm run "a b" (allowed by the default)',
      "      │ stopped",
    ]);
  });

  it("is its arguments where it never came to an act", () => {
    expect(lastLines(...begun, finished("error", "no such tool"))[0]).toBe('  ✗ exec error  {"n":1}');
  });
});

describe("what a refusal shows", () => {
  const refused = { type: "act.refused", step: 1, call, act: "write", target: ".env" } as const;

  it.each([
    [{ reason: "rule", rule: ".env", layer: "secrets" }, null, 'is denied by rule ".env" of layer "secrets"'],
    [{ reason: "default", rule: null, layer: null }, null, "is allowed by no rule"],
    [{ reason: "approver", rule: null, layer: null }, "not today", "was not approved: not today"],
    [{ reason: "tool", rule: null, layer: null }, "leaves the workspace", "cannot be allowed: leaves the workspace"],
  ] as const)("is who said so: %o", (who, detail, said) => {
    expect(lastLines(...begun, { ...refused, ...who, content: { detail } })).toEqual([
      `  ✗ exec refused  write .env ${said}`,
    ]);
  });
});

describe("what a question shows", () => {
  const request = "run-1/1.1" as RequestId;
  const ask: JudgedAct = { ...act, verdict: { effect: "ask", rule: "npm*", layer: "app" } };

  it("is the act that is asked about, and the rule that wants it asked", () => {
    const requested: NewEvent = {
      type: "approval.requested",
      step: 1,
      request,
      call,
      tool: "exec",
      acts: [act, ask],
      content: { input: {} },
    };

    expect(lastLines(...begun, requested)).toEqual([
      '  ? exec asks to exec npm run "a b" (asked for by rule "npm*" of layer "app")',
      "      {}",
    ]);
  });

  it.each([
    [{ decision: "approve", final: false }, null, "  ✓ approved by anna"],
    [{ decision: "deny", final: true }, "no", "  ✗ denied by anna: no; that ends the run"],
    [{ decision: "defer", final: false }, null, "  ? not decided yet"],
  ] as const)("and the answer is %o", (decision, reason, line) => {
    const decided: NewEvent = {
      type: "approval.decided",
      step: 1,
      request,
      call,
      by: "anna",
      remember: [],
      ...decision,
      content: { reason, input: null },
    };

    expect(lastLines(...begun, decided)).toEqual([line]);
  });
});

describe("what a resume shows", () => {
  const asking: NewEvent = {
    type: "completion.started",
    step: 1,
    attempt: 1,
    model: null,
    messages: 1,
    digest: "" as never,
    reserved: 0,
  };

  it("is what was cut short, and what is done about it", () => {
    expect(lastLines(started, step, asking, resumed(1))[2]).toContain(
      "the completion of step 1; it is asked for again",
    );
    expect(lastLines(...begun, toolStarted, resumed(1))[2]).toContain(
      "it may have taken effect, so that is found out first",
    );
    expect(
      lastLines(started, step, asks(1, { name: "exec", recovery: "replayable" }), toolStarted, resumed(1))[2],
    ).toContain("it may be repeated, so it is made again");
    expect(lastLines(...begun, { type: "gate.started", step: 1, attempt: 1 }, resumed(1))[2]).toContain(
      "the check of step 1",
    );
  });

  it("is that nothing was, where nothing was", () => {
    expect(lastLines(...begun, toolStarted, finished("ok", ""), resumed(1))).toEqual([
      "",
      "↻ resumed 1.0 s after the process that drove the run died",
      "      interrupted: nothing; it goes on after the last event",
    ]);
  });

  it("is a pause where there was one", () => {
    const pause = { type: "budget", limit: "steps" } as const;
    const paused: NewEvent = { type: "run.paused", step: 1, pause, steps: 1, content: { message: null } };

    expect(lastLines(...begun, paused, resumed(1))).toEqual(["", "↻ resumed after a pause of 1.0 s"]);
  });
});

describe("what else is shown", () => {
  it.each([
    [{ type: "run.stalled", step: 1, why: "cycle" }, "it repeats itself (cycle)"],
    [{ type: "gate.unprotected", step: 1, paths: ["test", "package.json"] }, "judges its work: test, package.json"],
    [{ type: "sandbox.cap-hit", step: 1, owner: "gate", cap: "output" }, "stopped at its cap on output"],
    [{ type: "cancel.requested", step: 1, content: { reason: null } }, "the run was told to stop"],
    [{ type: "budget.refused", step: 1, limit: "tokens", wanted: 9, left: 4 }, "9 wanted and 4 left"],
  ] as const satisfies readonly (readonly [NewEvent, string])[])("%o", (event, said) => {
    expect(lastLines(...begun, event).join("\n")).toContain(said);
  });

  it("is nothing for what says nothing to a person, and for names of a later version", () => {
    expect(lastLines(...begun, toolStarted)).toEqual([]);
    expect(lastLines(...begun, { type: "moon.risen", step: 1 } as unknown as NewEvent)).toEqual([]);
  });
});
