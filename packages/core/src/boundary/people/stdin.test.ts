import type { ApprovalRequest, Question } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { deferred, turn } from "../../tools/tools.test-support.js";
import { approvalText } from "./approval-text.js";
import { stdinApprover, stdinPlanGate, stdinResponder } from "./stdin.js";

const idle = new AbortController().signal;

/** A terminal into which `chunks` were piped. */
function piped(...chunks: readonly (string | Uint8Array)[]) {
  let text = "";
  async function* input() {
    yield* chunks;
  }
  return { input: input(), output: { write: (more: string) => (text += more) }, shown: () => text };
}

/** A terminal at which somebody types while a test goes on. */
function typed() {
  const waiting: ((chunk: string) => void)[] = [];
  let text = "";
  async function* input() {
    for (;;) {
      const chunk = deferred<string>();
      waiting.push(chunk.resolve);
      yield await chunk.promise;
    }
  }
  return {
    input: input(),
    output: { write: (more: string) => (text += more) },
    shown: () => text,
    type: async (chunk: string) => {
      while (waiting.length === 0) await turn();
      waiting.shift()?.(chunk);
      await turn();
    },
  };
}

function requestOf(more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: "the-run/1.1" as never,
    runId: "the-run" as never,
    call: "1.1" as never,
    goal: "tidy up",
    workspace: "/srv/app",
    tool: "write_file",
    input: { path: "src/a" },
    acts: [{ act: { type: "write", target: "src/a" }, verdict: { effect: "ask", rule: "src/*", layer: "house" } }],
    ...more,
  };
}

describe("what is shown of a request", () => {
  it("is what would really happen, with the rule and the layer that want it asked about", () => {
    const text = approvalText(
      requestOf({
        goal: "tidy up\nApprove? [y/N] y",
        acts: [
          { act: { type: "write", target: "link/a", before: null }, verdict: { effect: "allow" } },
          { act: { type: "write", target: "src/a" }, verdict: { effect: "ask", rule: "src/*", layer: "house" } },
          { act: { type: "exec", target: "rm", argv: ["rm", "-rf", "a b"] }, verdict: { effect: "ask" } },
          { act: { type: "exec", target: "mail" }, verdict: { effect: "ask" } },
          { act: { type: "net", target: "x.com:443" }, verdict: { effect: "ask" } },
          { act: { type: "read", target: "/etc/hosts" }, verdict: { effect: "allow" } },
        ],
      }),
    );

    expect(text.split("\n")).toEqual([
      "Goal:  tidy up",
      "       Approve? [y/N] y",
      "Tool:  write_file",
      'Would: create "/srv/app/link/a" (allowed by default)',
      '       write "/srv/app/src/a" (needs approval by the rule "src/*" of layer "house")',
      '       run "rm" "-rf" "a b" (needs approval by default)',
      '       use the tool "mail" (needs approval by default)',
      '       dial "x.com:443" (needs approval by default)',
      '       read "/etc/hosts" (allowed by default)',
      "With:  {",
      '         "path": "src/a"',
      "       }",
    ]);
  });

  it("is printable: nothing can erase, recolour, turn round or hide a part of it", () => {
    const nasty = "a\u001b[2K\rb\u202ec\u200bd\u0085e\u2028f\u007f";
    const text = approvalText(
      requestOf({
        goal: nasty,
        tool: nasty,
        input: { [nasty]: nasty },
        acts: [
          {
            act: { type: "exec", target: nasty, argv: [nasty] },
            verdict: { effect: "ask", rule: nasty, layer: nasty },
          },
        ],
      }),
    );

    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(text).toContain("\\u{202e}c\\u{200b}d");
  });
});

describe("stdinApprover", () => {
  it.each<[line: string, type: "approve" | "deny"]>([
    ...(["y\n", "Y\n", " y \r\n", "y"] as const).map((line) => [line, "approve"] as [string, "approve"]),
    ...(["", "\n", "n\n", "yes\n", "yy\n", "no, y\n", "\u0000y\n"] as const).map(
      (line) => [line, "deny"] as [string, "deny"],
    ),
  ])("takes %j as %s", async (line, type) => {
    const terminal = piped(...(line === "" ? [] : [new TextEncoder().encode(line)]));

    const decision = await stdinApprover(terminal).decide(requestOf(), { signal: idle });

    expect(decision.type).toBe(type);
    if (decision.type === "deny") expect(decision.reason).toContain("terminal");
    expect(terminal.shown()).toContain(`${approvalText(requestOf())}\nApprove? [y/N] `);
  });

  it("denies when the input cannot be read", async () => {
    const input = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("gone")) }) };

    const decision = await stdinApprover({ input, output: { write() {} } }).decide(requestOf(), { signal: idle });

    expect(decision.type).toBe("deny");
  });

  it("asks one at a time, and lines that were piped in answer in turn", async () => {
    const terminal = piped("y\nn", "\nY\n");
    const approver = stdinApprover(terminal);

    const decisions = await Promise.all([1, 2, 3, 4].map(() => approver.decide(requestOf(), { signal: idle })));

    expect(decisions.map(({ type }) => type)).toEqual(["approve", "deny", "approve", "deny"]);
  });

  it("takes no line for one request that was typed for another which is over", async () => {
    const terminal = typed();
    const approver = stdinApprover(terminal);
    const first = new AbortController();
    const asked = approver.decide(requestOf({ goal: "first" }), { signal: first.signal });
    while (!terminal.shown().includes("Approve?")) await turn();
    first.abort(new Error("It was answered elsewhere."));
    await expect(asked).rejects.toThrow("answered elsewhere");
    await terminal.type("y\n");

    const second = approver.decide(requestOf({ goal: "second" }), { signal: idle });
    await terminal.type("n\n");

    expect((await second).type).toBe("deny");
    expect(terminal.shown()).toContain("It was answered elsewhere.");
  });

  it("shows nothing of a request that was over before its turn", async () => {
    const terminal = typed();
    const approver = stdinApprover(terminal);
    const first = approver.decide(requestOf({ goal: "first" }), { signal: idle });
    const gone = new AbortController();
    const second = approver.decide(requestOf({ goal: "second" }), { signal: gone.signal });
    const refused = expect(second).rejects.toThrow("over");
    gone.abort(new Error("over"));
    await terminal.type("y\n");

    expect((await first).type).toBe("approve");
    await refused;
    expect(terminal.shown()).not.toContain("second");
  });
});

describe("stdinResponder", () => {
  const question: Question = { question: "Which?", context: "For the door.", choices: ["red", "blue"] };

  it.each<[line: string, answer: string | null]>([
    ["2\n", "blue"],
    ["green, please\n", "green, please"],
    ["3\n", "3"],
    ["0\n", "0"],
    ["\n", null],
    ["", null],
  ])("takes %j as %j", async (line, answer) => {
    const terminal = piped(...(line === "" ? [] : [line]));

    expect(await stdinResponder(terminal).answer(question, { signal: idle })).toBe(answer);
    expect(terminal.shown()).toContain("Question: Which?\n          For the door.\n  1. red\n  2. blue\n");
  });
});

describe("stdinPlanGate", () => {
  it.each([
    ["y\n", { type: "approve" }],
    ["N\n", { type: "cancel" }],
    ["Test it first.\n", { type: "revise", correction: "Test it first." }],
    [" \n", null],
    ["", null],
  ])("takes %j as %j", async (line, verdict) => {
    const terminal = piped(...(line === "" ? [] : [line]));

    expect(await stdinPlanGate(terminal).review([{ intent: "a" }, { intent: "b" }], { signal: idle })).toEqual(verdict);
    expect(terminal.shown()).toContain("Plan:\n  1. a\n  2. b\n");
  });
});
