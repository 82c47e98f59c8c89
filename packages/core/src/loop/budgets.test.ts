import { Policy } from "@harness/policy";
import type { Usage } from "@harness/spec";
import { call, calls, fakeClock, type Reply, type Script, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { checkingSandbox } from "../gate/gates.test-support.js";
import { only, openStage, typesOf } from "../run/stage.test-support.js";
import { reader, writer } from "../tools/tools.test-support.js";

const stage = openStage();
const tools = [reader(), writer()];
const endless = (count = 40): Script => Array.from({ length: count }, (_, nth) => call("look", { nth }));
const passing = { verify: { type: "command", argv: ["check"] } } as const;

describe("an endless script", () => {
  const threeSteps = { limits: { maxSteps: 3 } };

  it.each([
    ["run", async () => (await stage.drive(endless(), { tools, contract: threeSteps })).outcome],
    ["start", async () => (await stage.begin(endless(), { tools, contract: threeSteps }).handle.result).outcome],
    [
      "resume",
      async () => {
        const { store } = await stage.drive(endless(), { tools, contract: { limits: { maxSteps: 1 } } });
        return (await stage.goOn(store, endless(), { tools, limits: { maxSteps: 3 } })).outcome;
      },
    ],
  ])("stops at the last step when it is driven by %s", async (_entry, drive) => {
    expect(await drive()).toEqual({ type: "budget", limit: "steps", steps: 3 });
  });

  it("stops at 12 steps when nobody says how many", async () => {
    const { outcome, provider } = await stage.drive(endless(), { tools });

    expect(outcome).toEqual({ type: "budget", limit: "steps", steps: 12 });
    expect(provider.asked).toBe(12);
  });

  it("of refused calls stops at the last step, never as denied", async () => {
    const script = Array.from({ length: 9 }, (_, nth) => call("change", { path: `secret-${nth}` }));
    const policy = Policy.permissive().layer("house").denyWrite("secret*");

    const { outcome, result } = await stage.drive(script, { tools, policy, contract: { limits: { maxSteps: 5 } } });

    expect(outcome).toEqual({ type: "budget", limit: "steps", steps: 5 });
    expect(result.refusals).toBe(5);
  });
});

describe("the budget of tokens", () => {
  it("lets a run spend exactly that much, and keeps the step that goes beyond", async () => {
    const at = await stage.drive(endless(), { tools, contract: { limits: { maxTokens: 30, maxSteps: 2 } } });
    const beyond = await stage.drive(endless(), { tools, contract: { limits: { maxTokens: 29 } } });

    expect(at.outcome).toEqual({ type: "budget", limit: "steps", steps: 2 });
    expect(beyond.outcome).toEqual({ type: "budget", limit: "tokens", steps: 2 });
    expect(beyond.result.usage.totalTokens).toBe(30);
  });

  it("beats a gate that would pass, which is then not asked", async () => {
    const { outcome, events } = await stage.drive([call("change")], {
      tools,
      sandbox: checkingSandbox(0),
      contract: { ...passing, limits: { maxTokens: 10 } },
    });

    expect(outcome).toEqual({ type: "budget", limit: "tokens", steps: 1 });
    expect(typesOf(events)).not.toContain("gate.started");
  });

  it("beats an answer that would finish the run", async () => {
    const { outcome } = await stage.drive([say("Done.")], { contract: { limits: { maxTokens: 10 } } });

    expect(outcome).toEqual({ type: "budget", limit: "tokens", steps: 1 });
  });

  it("counts what attempts cost that came to nothing", async () => {
    const empty: Reply = { calls: [], stop: "tool-calls", usage: { promptTokens: 100, completionTokens: 0 } };
    const { result, events } = await stage.drive([[empty, say("Done.")]], { contract: { limits: { retryBaseMs: 0 } } });

    expect(only(events, "completion.failed")).toMatchObject([{ kind: "malformed", usage: { totalTokens: 100 } }]);
    expect(result.usage.totalTokens).toBe(115);
  });

  it("counts an answer that came when the run was being cancelled: it was paid for", async () => {
    const stop = new AbortController();
    const late: Reply = () => {
      stop.abort();
      return say("Too late.");
    };

    const { result } = await stage.drive([late], { signal: stop.signal });

    expect(result.usage.totalTokens).toBe(15);
  });
});

describe("usage of a vendor's cache", () => {
  it("is a part of the prompt, and is not spent on top of it", async () => {
    const usage = { promptTokens: 2_593, cacheReadTokens: 2_560, completionTokens: 7, totalTokens: 2_600 };
    const script = [1, 2].map((nth) => ({ ...call("look", { nth }), usage }));

    const { outcome, result } = await stage.drive(script, {
      tools,
      contract: { limits: { maxTokens: 5_200, maxSteps: 2 } },
    });

    expect(outcome).toEqual({ type: "budget", limit: "steps", steps: 2 });
    expect(result.usage).toMatchObject({ promptTokens: 5_186, cacheReadTokens: 5_120, totalTokens: 5_200 });
  });
});

describe("usage that a vendor does not report, or reports as nonsense", () => {
  const nonsense = (value: unknown): Usage => ({
    promptTokens: value as number,
    completionTokens: value as number,
    totalTokens: value as number,
    cacheReadTokens: value as number,
    cacheWriteTokens: value as number,
    reasoningTokens: value as number,
  });

  it.each([
    ["nothing", null],
    ["no number", nonsense(Number.NaN)],
    ["text", nonsense("12")],
    ["null", nonsense(null)],
    ["less than nothing", nonsense(-5)],
    ["more than can be counted", nonsense(1e300)],
  ])(
    "such as %s, is unknown in the trace, estimated for the budget, and said to be estimated",
    async (_what, usage) => {
      const reply = { ...call("look"), text: "x".repeat(4_000), usage };
      const { result, events } = await stage.drive([reply, say("Done.")], {
        tools,
        contract: { limits: { maxTokens: 900 } },
      });

      expect(result.outcome).toEqual({ type: "budget", limit: "tokens", steps: 1 });
      expect(only(events, "completion.finished")).toMatchObject([{ usage: null }]);
      expect(result.usage.estimatedCompletions).toBe(1);
      expect(result.usage.completionTokens).toBeGreaterThanOrEqual(1_000);
      expect(result.usage.completionTokens).toBeLessThan(1_100);
      expect(Object.values(result.usage).every(Number.isFinite)).toBe(true);
    },
  );

  it("in a part, counts that part as nothing and keeps the rest", async () => {
    const usage = {
      promptTokens: 12,
      completionTokens: -3,
      totalTokens: Number.NaN,
      cacheReadTokens: Number.POSITIVE_INFINITY,
    };
    const { result } = await stage.drive([{ ...say("Done."), usage }]);

    expect(result.usage).toMatchObject({ promptTokens: 12, completionTokens: 0, totalTokens: 12, cacheReadTokens: 0 });
  });
});

describe("the budget of time", () => {
  it.each([
    [
      "is looked at before each step: what is under way is finished",
      { maxDurationMs: 2_500 },
      { limit: "time", steps: 3 },
    ],
    ["lets a run take exactly that long", { maxDurationMs: 2_000, maxSteps: 2 }, { limit: "steps", steps: 2 }],
  ])("%s", async (_what, limits, expected) => {
    const clock = fakeClock();
    const slow = reader("look", async () => void (await clock.advance(1_000)));

    const { outcome } = await stage.drive(endless(), { tools: [slow], clock, contract: { limits } });

    expect(outcome).toEqual({ type: "budget", ...expected });
  });
});

describe("a stall", () => {
  const same = Array.from({ length: 12 }, () => call("change"));

  it("beats a budget that is used up in the same step", async () => {
    const limits = { maxReplans: 0, maxTokens: 44 };

    expect((await stage.drive(same, { tools, contract: { limits } })).outcome).toEqual({ type: "stalled", steps: 3 });
  });

  it("beats a gate that would pass", async () => {
    const codes = [1, 1, 0];
    const sandbox = checkingSandbox(() => codes.shift() ?? 0);
    const { outcome } = await stage.drive(same, {
      tools,
      sandbox,
      contract: { ...passing, limits: { maxReplans: 0 } },
    });

    expect(outcome).toEqual({ type: "stalled", steps: 3 });
  });

  it("beats a pause: nobody is asked about a call that ends the run", async () => {
    let asked = 0;
    const { outcome } = await stage.drive(same, {
      tools,
      policy: Policy.permissive().defaults({ write: "ask" }),
      approver: {
        async decide() {
          asked += 1;
          return asked < 3 ? { type: "deny", reason: "no" } : { type: "defer" };
        },
      },
      contract: { limits: { maxReplans: 0 } },
    });

    expect(outcome.type).toBe("stalled");
    expect(asked).toBe(2);
  });
});

describe("a step with several calls", () => {
  it("is one step, however many calls it has", async () => {
    const many = calls(...Array.from({ length: 30 }, (_, nth) => call("look", { nth })));

    expect((await stage.drive([many, say("Done.")], { tools })).outcome).toEqual({ type: "finished", steps: 2 });
  });
});
