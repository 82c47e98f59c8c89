import { Policy } from "@harness/policy";
import type { ApprovalRequest, Clock } from "@harness/spec";
import { call, fail, hang, type Reply, say, scriptedProvider } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { only, openStage } from "../../run/stage.test-support.js";
import { writer } from "../../tools/tools.test-support.js";
import { approveAll, denyAll } from "./everyone.js";
import { type ModelApproverOptions, modelApprover } from "./model-approver.js";

const stage = openStage();
const asking = Policy.permissive().layer("house").askWrite("*");
const signal = new AbortController().signal;
const request: ApprovalRequest = {
  id: "the-run/1.1" as never,
  runId: "the-run" as never,
  call: "1.1" as never,
  goal: "tidy up",
  workspace: "/srv/app",
  tool: "change",
  input: { path: "a", text: "b" },
  acts: [{ act: { type: "write", target: "a" }, verdict: { effect: "ask", rule: "*", layer: "house" } }],
};

function judging(reply: Reply, options: Partial<ModelApproverOptions> = {}) {
  const provider = scriptedProvider([reply]);
  return { provider, approver: modelApprover({ provider, ...options }) };
}

const words = (decision: string, reason?: string) => say(JSON.stringify({ decision, ...(reason ? { reason } : {}) }));

describe("modelApprover", () => {
  it("is told goal, act, target, rule, layer and content, and no conversation", async () => {
    const { provider, approver } = judging(words("approve"));

    expect(await approver.decide(request, { signal })).toEqual({ type: "approve" });

    const asked = provider.requests[0]?.request;
    expect(asked?.messages).toHaveLength(1);
    const [message] = asked?.messages ?? [];
    const { goal, workspace, tool, input, acts } = request;
    expect(JSON.parse(message?.role === "user" ? message.text : "")).toEqual({ goal, workspace, tool, input, acts });
    expect(asked).toMatchObject({ tools: [], maxOutputTokens: 2_000 });
  });

  it.each<[text: string, decision: object]>([
    ['{"decision": "APPROVE"}', { type: "approve" }],
    ['```json\n{"decision": "Approve", "reason": "fits"}\n```', { type: "approve" }],
    ['{"decision": "approve", "remember": [{"act": "write"}], "input": {"path": "b"}}', { type: "approve" }],
    ['{"decision": "deny", "reason": "Too much."}', { type: "deny", reason: "Too much." }],
    ['{"decision": "deny"}', { type: "deny", reason: expect.stringContaining("no reason") }],
    ['{"decision": "defer", "reason": "Unsure."}', { type: "defer", reason: "Unsure." }],
    ["I approve.", { type: "defer", reason: expect.stringContaining("cannot be read") }],
    ['Sure: {"decision": "approve"}', { type: "defer", reason: expect.any(String) }],
    ['{"decision": "approve"} {"decision": "deny"}', { type: "defer", reason: expect.any(String) }],
    ['{"decision": "yes"}', { type: "defer", reason: expect.any(String) }],
    ['["approve"]', { type: "defer", reason: expect.any(String) }],
    ['"approve"', { type: "defer", reason: expect.any(String) }],
  ])("reads %j", async (text, decision) => {
    expect(await judging(say(text)).approver.decide(request, { signal })).toEqual(decision);
  });

  it.each<[what: string, reply: Reply]>([
    ["fails", fail("server")],
    ["calls a tool", call("approve")],
    ["is cut off", { ...words("approve"), stop: "length" } as Reply],
  ])("leaves the request open when the model %s", async (_what, reply) => {
    expect(await judging(reply).approver.decide(request, { signal })).toMatchObject({ type: "defer" });
  });

  it("leaves it open when the model takes too long, whether or not it listens", async () => {
    let ring = () => {};
    const clock: Clock = {
      now: () => 0,
      sleep: async () => {},
      alarm(_ms, call) {
        ring = call;
        return () => {};
      },
    };
    for (const reply of [hang(), () => new Promise<never>(() => {})]) {
      const { approver } = judging(reply, { clock, timeoutMs: 5 });
      const decided = approver.decide(request, { signal });
      ring();
      expect(await decided).toEqual({ type: "defer", reason: expect.stringContaining("5 ms") });
    }
  });

  it("judges no part of a request that is too large, and asks nobody", async () => {
    const { provider, approver } = judging(words("approve"), { maxChars: 1_000 });

    const decision = await approver.decide({ ...request, input: { text: "x".repeat(1_000) } }, { signal });

    expect(decision).toMatchObject({ type: "defer", reason: expect.stringContaining("1000") });
    expect(provider.asked).toBe(0);
  });

  it("counts what it uses, failures and silence of the vendor included", async () => {
    const provider = scriptedProvider([[words("approve"), { ...words("deny"), usage: null } as Reply]]);
    const approver = modelApprover({ provider });
    await approver.decide(request, { signal });
    expect(approver.spend).toMatchObject({ totalTokens: 15, estimatedCompletions: 0 });
    await approver.decide(request, { signal });

    expect(approver.spend.estimatedCompletions).toBe(1);
    expect(approver.spend.totalTokens).toBeGreaterThan(15);
  });

  it.each([{ maxChars: 0 }, { timeoutMs: -1 }, { maxOutputTokens: 1.5 }])("refuses %j", (options) => {
    expect(() => judging(words("approve"), options)).toThrow(expect.objectContaining({ code: "config-invalid" }));
  });
});

describe("a run whose calls a model approves", () => {
  const script = [call("change"), say("Done.")];
  const tools = [writer()];

  it("goes by what it says; what the policy denies it is not asked about, and its tokens are not the run's", async () => {
    const { approver, provider } = judging(words("deny", "No need."), { model: "judge" });
    const { events, result } = await stage.drive([call("change"), call("change", { path: "no" }), say("Done.")], {
      ...{ tools, approver, policy: asking.denyWrite("no") },
    });

    expect(only(events, "approval.decided")).toMatchObject([
      { call: "1.1", decision: "deny", by: "approver", content: { reason: "No need." } },
    ]);
    expect(provider.asked).toBe(1);
    expect(result.usage.totalTokens).toBe(45);
    expect(approver.spend.totalTokens).toBe(15);
  });

  it("waits for a person where it defers, and the trace says why", async () => {
    const { approver } = judging(fail("server"), { model: "judge" });
    const { outcome, events } = await stage.drive(script, { tools, approver, policy: asking });

    expect(outcome.type).toBe("awaiting-approval");
    expect(only(events, "approval.decided")).toMatchObject([
      { decision: "defer", content: { reason: expect.stringContaining("could not be asked") } },
    ]);
  });

  it.each([
    ["the provider's own model", {}, "scripted-model"],
    ["the contract's model", { model: "Judge" }, "judge"],
  ])("is refused before anything is billed when it is %s", async (_what, contract, model) => {
    const { approver } = judging(words("approve"), { model });
    const begin = () => stage.begin(script, { tools, approver, contract, policy: asking });

    const provider = Object.assign(scriptedProvider(script), { model: "scripted-model" });
    expect(() => stage.begin(script, { provider, tools, approver, contract, policy: asking })).toThrow(
      expect.objectContaining({ code: "config-invalid", path: ["approver"] }),
    );
    if ("model" in contract) expect(begin).toThrow(expect.objectContaining({ code: "config-invalid" }));
    expect(provider.asked).toBe(0);
  });

  it("is refused by a resume as well, and allowed where that is asked for", async () => {
    const { store } = await stage.drive(script, { tools, policy: asking, contract: { model: "judge" } });
    const self = judging(words("approve"), { model: "judge" });
    await expect(stage.goOn(store, script, { tools, approver: self.approver })).rejects.toMatchObject({
      code: "config-invalid",
    });

    const allowed = judging(words("approve"), { model: "judge", allowSelfApproval: true });
    expect((await stage.goOn(store, script, { tools, approver: allowed.approver })).outcome.type).toBe("finished");
  });
});

describe("approvers that look at nothing", () => {
  it("approve what is asked about, and still nothing that is denied", async () => {
    const { events } = await stage.drive([call("change"), call("change", { path: "no" }), say("Done.")], {
      ...{ tools: [writer()], approver: approveAll, policy: asking.denyWrite("no") },
    });

    expect(only(events, "approval.decided")).toMatchObject([{ call: "1.1", decision: "approve" }]);
    expect(only(events, "act.refused")).toMatchObject([{ call: "2.1", rule: "no" }]);
  });

  it("or deny it, and the run goes on", async () => {
    const { events, outcome } = await stage.drive([call("change"), say("Done.")], {
      ...{ tools: [writer()], approver: denyAll, policy: asking },
    });

    expect(outcome.type).toBe("finished");
    expect(only(events, "approval.decided")).toMatchObject([{ decision: "deny" }]);
  });
});
