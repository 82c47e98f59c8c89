import { Policy } from "@harness/policy";
import type { PlanGate, PlanId, PlanStep, PlanVerdict } from "@harness/spec";
import { call, calls, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { playedEnforcement } from "../gate/gates.test-support.js";
import { only, openStage, rowsIn, statuses, storeWith, theRun, typesOf } from "../run/stage.test-support.js";
import { reader, writer } from "./tools.test-support.js";

const stage = openStage();
const contract = { plan: true } as const;
const plan = (...intents: readonly string[]) => call("propose_plan", { steps: intents.map((intent) => ({ intent })) });
const change = (path: string) => call("change", { path });
const script = [plan("write a"), change("a"), say("Done.")];
const yes = { type: "approve" } as const;

/** Judges with `verdicts` in turn, and keeps what it was shown. */
function gateOf(...verdicts: readonly unknown[]) {
  const seen: (readonly PlanStep[])[] = [];
  const planGate: PlanGate = {
    async review(steps) {
      const verdict = verdicts[seen.push(steps) - 1];
      if (verdict instanceof Error) throw verdict;
      return verdict as PlanVerdict | null;
    },
  };
  return { planGate, seen };
}

function counted() {
  const made: unknown[] = [];
  return { made, tools: [reader(), writer("change", async ({ path }) => void made.push(path))] };
}

const offered = (provider: { readonly requests: readonly { request: { tools: readonly { name: string }[] } }[] }) =>
  provider.requests.map(({ request }) => request.tools.map(({ name }) => name).join());

describe("until a plan is approved", () => {
  it("nothing is written and no command run, whatever the policy allows, and the refusal names the plan gate", async () => {
    const { made, tools } = counted();
    const silent = writer("silent", async () => void made.push("silent"), { acts: async () => [] });
    const named = reader("named", async () => void made.push("named"), {
      acts: async () => [{ type: "exec", target: "named" }],
    });
    const dialing = writer("dialing", undefined, { acts: async () => [{ type: "net", target: "x.com:443" }] });
    const beginning = calls(call("look"), change("a"), call("silent"), call("named"), call("dialing"));
    const { planGate } = gateOf(yes);
    const { events } = await stage.drive([beginning, plan("go on"), say("Done.")], {
      ...{ contract, planGate, tools: [...tools, silent, named, dialing] },
    });

    expect(statuses(events).slice(0, 5)).toEqual([
      ...["1.1: ok", "1.2: refused", "1.3: refused", "1.4: refused", "1.5: refused"],
    ]);
    expect(only(events, "act.refused")).toMatchObject(
      ["write", "exec", "exec", "exec"].map((act) => ({ act, rule: "*", layer: "plan-gate", reason: "rule" })),
    );
    expect(made).toEqual([]);
  });

  it("reads and addresses are as they were: asked about, allowed or denied", async () => {
    const { tools } = counted();
    const dial = reader("dial", undefined, { acts: async () => [{ type: "net", target: "x.com:443" }] });
    const policy = Policy.permissive().denyRead("secret").askRead("draft");
    const { events, outcome } = await stage.drive(
      [calls(call("look"), call("dial"), call("look", { path: "secret" }), call("look", { path: "draft" }))],
      { contract, policy, tools: [...tools, dial] },
    );

    expect(statuses(events)).toEqual(["1.1: ok", "1.2: ok", "1.3: refused"]);
    expect(outcome).toMatchObject({ type: "awaiting-approval", requestId: "the-run/1.4" });
  });

  it("an approver cannot let a write through", async () => {
    const { made, tools } = counted();
    const policy = Policy.permissive().defaults({ write: "ask" });
    const { events } = await stage.drive([change("a"), plan("b"), say("Done.")], {
      ...{ contract, tools, policy, planGate: gateOf(yes).planGate, approver: { decide: async () => yes } },
    });

    expect([statuses(events), made]).toEqual([["1.1: refused", "2.1: ok"], []]);
  });

  it("propose_plan is offered, and not before or after; the first message says what is wanted", async () => {
    const { tools } = counted();
    const planned = await stage.drive([...script], { contract, tools, planGate: gateOf(yes).planGate });
    const plain = await stage.drive([change("a"), say("Done.")], { tools });

    expect(offered(planned.provider)).toEqual(["look,change,propose_plan", "look,change", "look,change"]);
    expect(offered(plain.provider)).toEqual(["look,change", "look,change"]);
    const first = (run: typeof plain) => JSON.stringify(run.provider.requests[0]?.request.messages[0]);
    expect(first(planned)).toContain("A plan comes first.");
    expect(first(plain)).not.toContain("plan");
    expect(planned.provider.requests[0]?.request.system).toBe(plain.provider.requests[0]?.request.system);
    expect(() => stage.begin([], { contract, tools: [reader("propose_plan")] })).toThrow(
      expect.objectContaining({ code: "config-invalid" }),
    );
  });

  it("an answer without a plan ends nothing, and neither does the gate, which is not asked", async () => {
    const commands: string[] = [];
    const sandbox = {
      spec: 1,
      backend: "double",
      enforces: playedEnforcement,
      run: async ({ argv }: { argv: readonly string[] }) => {
        commands.push(argv.join(" "));
        const silent = { text: "", elidedBytes: 0 };
        const ended = { signal: null, capHit: null, stopped: null, stdout: silent, stderr: silent, wallMs: 0 };
        return { backend: "double", argv, exitCode: 0, ...ended };
      },
      spawn: () => Promise.reject(new Error("Nothing is spawned here.")),
    } as const;
    const { tools } = counted();
    const options = { tools, sandbox, planGate: gateOf(yes).planGate };
    const verify = { type: "command", argv: ["check"] } as const;

    const { outcome, events, provider } = await stage.drive([say("I know."), call("look"), plan("a")], {
      contract: { plan: true, verify },
      ...options,
    });

    expect(outcome).toEqual({ type: "success", steps: 3 });
    expect(commands).toEqual(["check"]);
    expect(only(events, "gate.started")).toMatchObject([{ step: 3 }]);
    expect(JSON.stringify(provider.requests[1]?.request.messages.at(-1))).toContain("call propose_plan");
  });

  it("the budget of steps holds, and a plan that is only repeated stalls", async () => {
    const { tools } = counted();
    const no = { type: "revise", correction: "Better." };
    const rounds = [1, 2, 3].map((nth) => plan(`try ${nth}`));
    const capped = await stage.drive(rounds, {
      ...{ contract: { plan: true, limits: { maxSteps: 3 } }, tools, planGate: gateOf(no, no, no).planGate },
    });
    expect(capped.outcome).toEqual({ type: "budget", limit: "steps", steps: 3 });

    const same = Array.from({ length: 9 }, () => plan("the same"));
    const stalled = await stage.drive(same, { contract, tools, planGate: gateOf(...same.map(() => no)).planGate });
    expect(stalled.outcome.type).toBe("stalled");
  });
});

describe("a plan", () => {
  it("is judged once it is durable; approved, it lifts the gate for the calls behind it", async () => {
    const { made, tools } = counted();
    const { planGate, seen } = gateOf(yes);
    const together = [calls(change("early"), plan("write a", "test it"), change("a"), plan("again")), say("Done.")];
    const { events, provider } = await stage.drive(together, { contract, tools, planGate });

    expect(seen).toEqual([[{ intent: "write a" }, { intent: "test it" }]]);
    expect(statuses(events)).toEqual(["1.1: refused", "1.2: ok", "1.3: ok", "1.4: invalid"]);
    expect(made).toEqual(["a"]);
    expect(only(events, "plan.decided")).toMatchObject([{ plan: "the-run/1.2", verdict: "approve", by: "plan-gate" }]);
    expect(JSON.stringify(provider.requests[1]?.request.messages.at(-1))).toContain("The plan is approved.");
  });

  it("grants nothing: what its policy denies or asks about is denied and asked about", async () => {
    const { made, tools } = counted();
    const policy = Policy.permissive().denyWrite("secret").askWrite("draft");
    const { events, outcome } = await stage.drive(
      [plan("write secret and draft"), calls(change("secret"), change("draft"))],
      {
        ...{ contract, tools, policy, planGate: gateOf(yes).planGate },
      },
    );

    expect(statuses(events)).toEqual(["1.1: ok", "2.1: refused"]);
    expect(only(events, "act.refused")[0]).toMatchObject({ rule: "secret" });
    expect(outcome.type).toBe("awaiting-approval");
    expect(made).toEqual([]);
  });

  it("that is corrected comes back to the model, as often as it takes", async () => {
    const { made, tools } = counted();
    const { planGate, seen } = gateOf(
      { type: "revise", correction: "Test it, too." },
      { type: "revise", correction: "Twice." },
      yes,
    );
    const { events, provider } = await stage.drive(
      [plan("a"), plan("a", "b"), plan("a", "b", "b"), change("a"), say("Done.")],
      {
        ...{ contract, tools, planGate },
      },
    );

    expect(seen.map(({ length }) => length)).toEqual([1, 2, 3]);
    expect(only(events, "plan.decided").map(({ verdict, content }) => [verdict, content.correction])).toEqual([
      ...[
        ["revise", "Test it, too."],
        ["revise", "Twice."],
      ],
      ["approve", null],
    ]);
    expect(JSON.stringify(provider.requests[1]?.request.messages.at(-1))).toContain("Test it, too.");
    expect(made).toEqual(["a"]);
  });

  it("that is called off ends the run", async () => {
    const { made, tools } = counted();
    const { outcome, store } = await stage.drive([calls(plan("a"), change("a"))], {
      ...{ contract, tools, planGate: gateOf({ type: "cancel" }).planGate },
    });

    expect(outcome).toEqual({ type: "plan-rejected", steps: 0 });
    expect((await stage.goOn(store, [], { tools })).outcome).toEqual(outcome);
    expect(made).toEqual([]);
  });

  it.each([
    ["no steps", { steps: [] }],
    ["a blank step", { steps: [{ intent: "a" }, { intent: " " }] }],
    ["an agent that nobody knows", { steps: [{ intent: "a", agent: "painter" }] }],
    ["no list", { steps: "write a" }],
  ])("with %s is an answer to the model, and nobody is asked", async (_what, input) => {
    const { tools } = counted();
    const { planGate, seen } = gateOf(yes);
    const { events } = await stage.drive([call("propose_plan", input), plan("a"), say("Done.")], {
      contract,
      tools,
      planGate,
    });

    expect(statuses(events)).toEqual(["1.1: invalid", "2.1: ok"]);
    expect(seen).toHaveLength(1);
  });
});

describe("a plan that nobody here judges", () => {
  it.each<[how: string, planGate: PlanGate | undefined, why: unknown]>([
    ["because there is no plan gate", undefined, null],
    ["because the gate leaves it open", gateOf(null).planGate, null],
    ["because the gate fails", gateOf(new Error("offline")).planGate, "the plan gate failed: offline"],
    [
      "because the gate says yes in other words",
      gateOf({ type: "yes" }).planGate,
      expect.stringContaining("cannot be read"),
    ],
    [
      "because the gate wants it other and does not say how",
      gateOf({ type: "revise", correction: " " }).planGate,
      expect.any(String),
    ],
  ])("%s waits, still without a write", async (_how, planGate, why) => {
    const { made, tools } = counted();
    const { outcome, events, store } = await stage.drive([calls(plan("a"), change("a"))], {
      ...{ contract, tools, ...(planGate ? { planGate } : {}) },
    });

    expect(outcome).toEqual({ type: "awaiting-plan", planId: "the-run/1.1", steps: 0 });
    expect(only(events, "run.paused")).toMatchObject([{ content: { message: why } }]);
    expect((await stage.goOn(store, [], { tools })).outcome).toEqual(outcome);
    expect(made).toEqual([]);
  });

  it.each<[verdict: PlanVerdict, ends: string, made: readonly string[]]>([
    [yes, "finished", ["a"]],
    [{ type: "cancel" }, "plan-rejected", []],
    [{ type: "revise", correction: "No." }, "awaiting-plan", []],
  ])("goes on with the verdict that a resume brings: %o", async (verdict, ends, expected) => {
    const { made, tools } = counted();
    const next = verdict.type === "revise" ? [plan("a"), plan("b")] : script;
    const { store } = await stage.drive([plan("a")], { contract, tools });

    const { outcome, events } = await stage.goOn(store, next, { tools, verdict });

    expect([outcome.type, made]).toEqual([ends, expected]);
    expect(only(events, "plan.decided")).toMatchObject([{ verdict: verdict.type, by: "resume" }]);
  });

  it("takes the verdict that was left while nobody drove, before its gate is asked", async () => {
    const { made, tools } = counted();
    const { planGate, seen } = gateOf({ type: "cancel" });
    const { store } = await stage.drive([plan("a")], { contract, tools });
    await store.answer(theRun, { type: "plan", request: "the-run/1.1" as PlanId, by: "ops", verdict: yes });

    const { outcome } = await stage.goOn(store, script, { tools, planGate });

    expect([outcome.type, made, seen]).toEqual(["finished", ["a"], []]);
  });
});

describe("the phase", () => {
  it("follows from the log: what is cut behind an approval never plans again, what is cut before it cannot skip it", async () => {
    const { tools } = counted();
    const whole = await stage.drive(script, { contract, tools, planGate: gateOf(yes).planGate });
    const rows = await rowsIn(whole.store);
    const approved = only(whole.events, "plan.decided")[0]?.seq ?? 0;

    for (let kept = 1; kept < rows.length; kept += 1) {
      const { made, tools } = counted();
      const { planGate, seen } = gateOf(null, null);
      const again = await stage.goOn(await storeWith(rows, kept), script, { tools, planGate });
      const where = `cut behind event ${kept}: ${typesOf(whole.events)[kept - 1]}`;
      const isApproved = kept >= approved;
      expect(again.outcome.type, where).toBe(isApproved ? "finished" : "awaiting-plan");
      expect(seen.length, where).toBe(isApproved ? 0 : 1);
      if (!isApproved) expect(made, where).toEqual([]);
      const resumed = only(again.events, "run.resumed")[0]?.tools.map(({ name }) => name);
      expect(resumed?.includes("propose_plan"), where).toBe(!isApproved);
    }
  });

  it("holds under a policy that a resume brings, and is no part of the one that is recorded", async () => {
    const { made, tools } = counted();
    const { store, events } = await stage.drive([plan("a")], { contract, tools });
    const again = await stage.goOn(store, [plan("a"), change("a"), plan("b")], {
      ...{ tools, policy: Policy.permissive(), verdict: { type: "revise", correction: "No." } as const },
    });

    expect(statuses(again.events)).toEqual(["1.1: ok", "2.1: refused"]);
    expect(made).toEqual([]);
    const layers = [...only(events, "run.started"), ...only(again.events, "run.resumed")].map(
      ({ policy }) => policy.layers,
    );
    expect(layers).toEqual([[], []]);
  });
});
