import { callId, type JudgedAct, type NewEvent, type RequestId } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { asks, lastLines, linesIn, plainStyle, resumed, started } from "./log.test-support.js";
import { shownInFull } from "./style.js";

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
      '  ✓ exec  npm run "a b" (allowed by the default)  1.0 s',
      "      │ Exit code 0.",
      "      │ fine",
    ]);
  });

  it("is its failure and its words, which cannot steer the terminal", () => {
    expect(lastLines(...begun, toolStarted, finished("timed-out", "\x1b[2Jstopped"))).toEqual([
      '  ✗ exec timed-out  npm run "a b" (allowed by the default)  1.0 s',
      "      │ stopped",
    ]);
  });

  it("is its arguments where it never came to an act", () => {
    expect(lastLines(...begun, finished("error", "no such tool"))[0]).toBe('  ✗ exec error  {"n":1}');
  });
});

describe("what an answer shows", () => {
  const asking: NewEvent = {
    type: "completion.started",
    step: 1,
    attempt: 1,
    model: null,
    messages: 1,
    digest: "" as never,
    reserved: 0,
  };
  const usage = {
    promptTokens: 900,
    completionTokens: 120,
    totalTokens: 1_020,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
  const content = { text: "I look.", reasoning: null, calls: [] };
  const answer = (rest: object) => ({ ...asks(1), content, ...rest }) as NewEvent;

  it("is its words, and what gave them for how much in what time", () => {
    expect(lastLines(started, step, asking, answer({ usage, stop: "end" }))).toEqual([
      "  I look. (m, 900 + 120 tokens, 1.0 s)",
    ]);
  });

  it("is that nobody knows what it cost, and that it was cut off, where that is so", () => {
    expect(lastLines(started, step, asking, answer({ model: null, stop: "length" }))).toEqual([
      "  I look. (tokens unknown, 1.0 s, stopped by length)",
    ]);
  });

  it("is what it cost where its model has a price, and that it has none where that is so", () => {
    const price = { input: 3_000_000, output: 15_000_000, cacheRead: 0, cacheWrite: 0 };
    const by = (model: string) => {
      const table = { asOf: "2026-01-31", currency: "USD", prices: { [model]: price } };
      const run = { ...started, pricing: { table, unpriced: "allow" } } as NewEvent;
      return lastLines(run, step, asking, answer({ usage, stop: "end" }));
    };

    expect(by("m")).toEqual(["  I look. (m, 900 + 120 tokens, 0.0045 USD, 1.0 s)"]);
    expect(by("another")).toEqual(["  I look. (m, 900 + 120 tokens, no price, 1.0 s)"]);
  });

  it("is who gave it where several stand behind one name, and who failed before", () => {
    const link = { provider: "a", kind: "server", status: 529, vendorCode: null, model: "m-a", usage: null };
    const facts = { servedBy: "b", failedLinks: [link], usage, stop: "end" };
    const event = answer({ ...facts, content: { ...content, failedLinks: ["Too\nbusy."] } });

    expect(lastLines(started, step, asking, event)).toEqual([
      "  ! a did not answer (server): Too busy.",
      "  I look. (m, served by b, 900 + 120 tokens, 1.0 s)",
    ]);
  });

  it("has the facts on a line of their own where there is no room beside the words", () => {
    const narrow = { ...plainStyle, columns: 30 };

    expect(linesIn(narrow, started, step, asking, answer({ usage, stop: "end" }))).toEqual([
      "  I look.",
      "  (m, 900 + 120 tokens, 1.0 s)",
    ]);
  });
});

describe("what a command shows", () => {
  const sandbox = { backend: "played", mode: "workspace-write", egress: "deny", argv: ["npm", "test"] } as const;
  const enforces = { egress: "none" } as never;
  const full = { ...plainStyle, ...shownInFull };

  it("is the cap that stopped it, by its name, and whose it was", () => {
    const hit = (owner: "gate" | typeof call, cap: "memory" | "open-files"): NewEvent => ({
      type: "sandbox.cap-hit",
      step: 1,
      owner,
      cap,
    });

    expect(lastLines(...begun, hit(call, "open-files"))).toEqual([
      "  ! exec (call 1.1) was stopped at its cap on open files",
    ]);
    expect(lastLines(...begun, hit("gate", "memory"))).toEqual(["  ! the check was stopped at its cap on memory"]);
  });

  it("is how it was run and how it ended, where nothing is left out", () => {
    const start: NewEvent = { type: "sandbox.started", step: 1, owner: call, enforces, ...sandbox };
    const end = { type: "sandbox.finished", step: 1, owner: call, backend: "played", signal: null } as const;

    expect(linesIn(full, ...begun, start)).toEqual([
      "      · npm test runs in played: workspace-write, network denied, though nothing closes it",
    ]);
    expect(linesIn(full, ...begun, { ...end, exitCode: 1, stopped: null })).toEqual(["      · exited 1"]);
    expect(linesIn(full, ...begun, { ...end, exitCode: null, signal: "SIGKILL", stopped: "timeout" })).toEqual([
      "      · ended by SIGKILL, out of time",
    ]);
    expect(lastLines(...begun, start)).toEqual([]);
  });

  it("is what it made and may not, though it is gone again; and what could not be held, where nothing is left out", () => {
    const [undone, warnings] = [["/repo/.git/hooks/pre-commit"], ["A link could not be followed."]];
    const end: NewEvent = {
      ...{
        type: "sandbox.finished",
        step: 1,
        owner: call,
        backend: "played",
        exitCode: 0,
        signal: null,
        stopped: null,
      },
      ...{ undone, warnings },
    };
    const line = "  ! /repo/.git/hooks/pre-commit is protected; what a command made there was undone";

    expect(lastLines(...begun, end)).toEqual([line]);
    expect(linesIn(full, ...begun, end).slice(-2)).toEqual([
      "      · exited 0",
      "      · A link could not be followed.",
    ]);
  });

  it("is no success of its call when it did not end well, whatever its tool says", () => {
    const ended = (exitCode: number): NewEvent => ({
      type: "sandbox.finished",
      step: 1,
      owner: call,
      backend: "played",
      exitCode,
      signal: null,
      stopped: null,
    });
    const markAfter = (exitCode: number) =>
      lastLines(...begun, toolStarted, ended(exitCode), finished("ok", `Exit code ${exitCode}.`))[0]?.slice(0, 8);

    expect([markAfter(0), markAfter(3)]).toEqual(["  ✓ exec", "  ! exec"]);
  });

  it("is whom it was kept from reaching", () => {
    const dialed = { type: "sandbox.dialed", step: 1, owner: call, target: "example.com:443" } as const;

    expect(lastLines(...begun, { ...dialed, allowed: false })).toEqual([
      "  ✗ exec (call 1.1) was kept from reaching example.com:443",
    ]);
    expect(lastLines(...begun, { ...dialed, allowed: true })).toEqual([]);
    expect(linesIn(full, ...begun, { ...dialed, allowed: true })).toEqual(["      · reached example.com:443"]);
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
