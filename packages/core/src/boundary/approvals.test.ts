import { Policy } from "@harness/policy";
import type { ApprovalRequest, Approver, Decision, Rule } from "@harness/spec";
import { call, calls, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { approve, deny } from "../run/answers.js";
import { only, openStage, statuses, typesOf } from "../run/stage.test-support.js";
import { reader, writer } from "../tools/tools.test-support.js";

const stage = openStage();
const asking = Policy.permissive().defaults({ write: "ask" });

/** Answers with `decisions` in turn, and keeps what it was asked. */
function approverOf(...decisions: readonly (Decision | Error)[]) {
  const requests: ApprovalRequest[] = [];
  const approver: Approver = {
    async decide(request) {
      const decision = decisions[requests.push(request) - 1];
      if (decision === undefined || decision instanceof Error) throw decision ?? new Error("Asked too often.");
      return decision;
    },
  };
  return { approver, requests };
}

function writes() {
  const made: unknown[] = [];
  const tools = [
    reader(),
    writer("change", async ({ path, text }) => void made.push(text === undefined ? path : [path, text])),
  ];
  return { made, tools };
}

describe("what the policy wants asked about", () => {
  it("is put to the approver whole, once the request is durable, and done when it is approved", async () => {
    const { approver, requests } = approverOf(approve());
    const { made, tools } = writes();

    const { events } = await stage.drive([call("change", { path: "a", text: "b" }), say("Done.")], {
      tools,
      policy: asking,
      approver,
    });

    expect(requests).toEqual([
      {
        id: "the-run/1.1",
        runId: "the-run",
        call: "1.1",
        goal: "do it",
        workspace: stage.root,
        tool: "change",
        input: { path: "a", text: "b" },
        acts: [{ act: { type: "write", target: "a" }, verdict: { effect: "ask" } }],
      },
    ]);
    expect(made).toEqual([["a", "b"]]);
    expect(typesOf(events).filter((type) => /^(approval|tool)/.test(type))).toEqual([
      ...["approval.requested", "approval.decided", "tool.started", "tool.finished"],
    ]);
    expect(only(events, "approval.decided")).toMatchObject([
      { request: "the-run/1.1", decision: "approve", by: "approver", final: false },
    ]);
  });

  it("is never asked about when the policy denies it, or allows it", async () => {
    const { approver, requests } = approverOf();
    const { made, tools } = writes();
    const policy = asking.layer("house").denyWrite("secret").allowWrite("open");

    const { events } = await stage.drive(
      [calls(call("change", { path: "secret" }), call("change", { path: "open" })), say("")],
      {
        tools,
        policy,
        approver,
      },
    );

    expect(requests).toEqual([]);
    expect(made).toEqual(["open"]);
    expect(only(events, "act.refused")).toMatchObject([
      { call: "1.1", act: "write", target: "secret", rule: "secret", layer: "house", reason: "rule" },
    ]);
  });

  it("is decided by the strictest act of a call", async () => {
    const { approver, requests } = approverOf(approve());
    const acts =
      (...paths: readonly string[]) =>
      async () =>
        paths.map((target) => ({ type: "write", target }) as const);
    const tools = [
      writer("two", undefined, { acts: acts("open", "draft") }),
      writer("three", undefined, { acts: acts("draft", "secret") }),
    ];
    const policy = new Policy().layer("house").allowWrite("open").askWrite("draft").denyWrite("secret");

    const { events } = await stage.drive([calls(call("two"), call("three")), say("Done.")], {
      tools,
      policy,
      approver,
    });

    expect(statuses(events)).toEqual(["1.1: ok", "1.2: refused"]);
    expect(requests.map(({ acts }) => acts.map(({ verdict }) => verdict.effect))).toEqual([["allow", "ask"]]);
  });
});

describe("a no", () => {
  it("is an answer to the model, with the reason, and the run goes on", async () => {
    const { approver } = approverOf(deny("Not on a Friday."), approve());
    const { made, tools } = writes();
    const script = [calls(call("change", { path: "a" }), call("look"), call("change", { path: "b" })), say("Done.")];

    const { outcome, events, provider } = await stage.drive(script, { tools, policy: asking, approver });

    expect(outcome).toEqual({ type: "finished", steps: 2 });
    expect(made).toEqual(["b"]);
    expect(only(events, "act.refused")).toMatchObject([
      { call: "1.1", target: "a", reason: "approver", content: { detail: "Not on a Friday." } },
    ]);
    expect(provider.requests[1]?.request.messages.at(-1)).toMatchObject({
      results: [
        { isError: true, content: expect.stringContaining("Not on a Friday.") },
        { content: "seen" },
        { content: "done" },
      ],
    });
  });

  it("for good ends the run as denied, and what stands behind it is not done", async () => {
    const { approver } = approverOf(deny("Stop.", { final: true }));
    const { made, tools } = writes();
    const script = [calls(call("change", { path: "a" }), call("change", { path: "b" })), say("Done.")];

    const { outcome, store, events } = await stage.drive(script, { tools, policy: asking, approver });

    expect(outcome).toEqual({ type: "denied", steps: 0 });
    expect(made).toEqual([]);
    expect(only(events, "approval.decided")).toMatchObject([
      { decision: "deny", final: true, content: { reason: "Stop." } },
    ]);
    expect((await stage.goOn(store, [], { tools })).outcome).toEqual(outcome);
  });
});

describe("other arguments", () => {
  it("are done in place of those that were asked about", async () => {
    const { approver } = approverOf(approve({ input: { path: "a", text: "calmer" } }));
    const { made, tools } = writes();

    const { events, provider } = await stage.drive([call("change", { path: "a", text: "rash" }), say("")], {
      tools,
      policy: asking,
      approver,
    });

    expect(made).toEqual([["a", "calmer"]]);
    expect(only(events, "approval.decided")).toMatchObject([{ content: { input: { path: "a", text: "calmer" } } }]);
    const shown = JSON.stringify(provider.requests[1]?.request.messages.at(-1));
    expect(shown, "the model is told what was really done").toContain("calmer");
  });

  it("may name another target that would be asked about as well: who names it approves it", async () => {
    const { approver, requests } = approverOf(approve({ input: { path: "b" } }));
    const { made, tools } = writes();

    const { events } = await stage.drive([call("change", { path: "a" }), say("Done.")], {
      tools,
      policy: asking,
      approver,
    });

    expect(statuses(events)).toEqual(["1.1: ok"]);
    expect(made).toEqual(["b"]);
    expect(requests).toHaveLength(1);
  });

  it("are those of the answer only: what an approver does to the request it was shown changes nothing", async () => {
    const approver: Approver = {
      async decide({ input }) {
        Object.assign(input, { text: "slipped in" });
        return approve();
      },
    };
    const { made, tools } = writes();
    const script = [call("change", { path: "a", text: "as logged" }), say("Done.")];

    await stage.drive(script, { tools, policy: asking, approver });

    expect(made).toEqual([["a", "as logged"]]);
  });

  it("never cross a deny", async () => {
    const { approver } = approverOf(approve({ input: { path: "secret" } }));
    const { made, tools } = writes();
    const policy = asking.layer("house").denyWrite("secret");

    const { events, outcome } = await stage.drive([call("change", { path: "a" }), say("Done.")], {
      tools,
      policy,
      approver,
    });

    expect(outcome.type).toBe("finished");
    expect(made).toEqual([]);
    expect(only(events, "act.refused")).toMatchObject([
      { target: "secret", rule: "secret", layer: "house", reason: "rule" },
    ]);
  });

  it("are checked like the model's own", async () => {
    const { approver } = approverOf(approve({ input: { path: 7 } }));
    const { made, tools } = writes();

    const { events } = await stage.drive([call("change", { path: "a" }), say("Done.")], {
      tools,
      policy: asking,
      approver,
    });

    expect(statuses(events)).toEqual(["1.1: invalid"]);
    expect(made).toEqual([]);
  });
});

describe("an approval", () => {
  it("covers what was asked about, and nothing that the call would do by now", async () => {
    const { approver } = approverOf(approve());
    let planned = 0;
    let made = 0;
    const tool = writer("change", async () => void made++, {
      async acts() {
        planned += 1;
        return [{ type: "write", target: planned === 1 ? "a" : "b" }];
      },
    });

    const { events } = await stage.drive([call("change"), say("Done.")], { tools: [tool], policy: asking, approver });

    expect(statuses(events)).toEqual(["1.1: refused"]);
    expect(made).toBe(0);
  });

  it("is for one call: the next one like it is asked about again", async () => {
    const { approver, requests } = approverOf(approve(), deny("Once is enough."));
    const { made, tools } = writes();

    await stage.drive([calls(call("change"), call("change")), say("Done.")], { tools, policy: asking, approver });

    expect(requests.map(({ call }) => call)).toEqual(["1.1", "1.2"]);
    expect(made).toEqual(["file"]);
  });
});

describe("a rule to be remembered", () => {
  const rule: Rule = { act: "write", effect: "allow", pattern: "src/*" };
  const change = (path: string) => call("change", { path });

  it("holds from the next step, and comes back with the result", async () => {
    const { approver, requests } = approverOf(approve({ remember: [rule] }), approve());
    const { made, tools } = writes();

    const { result } = await stage.drive([calls(change("src/a"), change("src/b")), change("src/c"), say("Done.")], {
      tools,
      policy: asking,
      approver,
    });

    expect(requests.map(({ input }) => input.path)).toEqual(["src/a", "src/b"]);
    expect(made).toEqual(["src/a", "src/b", "src/c"]);
    expect(result.remembered).toEqual([rule]);
  });

  it("is still remembered by a resume, whatever policy that brings", async () => {
    const { approver } = approverOf(approve({ remember: [rule] }));
    const { tools, made } = writes();
    const script = [change("src/a"), change("src/b"), change("other"), say("Done.")];
    const { store } = await stage.drive(script, {
      tools,
      policy: asking,
      approver,
      contract: { limits: { maxSteps: 1 } },
    });

    const { outcome, result } = await stage.goOn(store, script, { tools, policy: asking, limits: { maxSteps: 9 } });

    expect(made).toEqual(["src/a", "src/b"]);
    expect(outcome).toMatchObject({ type: "awaiting-approval", requestId: "the-run/3.1" });
    expect(result.remembered).toEqual([rule]);
  });

  it("cannot defeat a deny", async () => {
    const { approver } = approverOf(approve({ remember: [{ act: "write", effect: "allow", pattern: "*" }] }));
    const { made, tools } = writes();

    await stage.drive([change("a"), change("secret"), say("Done.")], {
      tools,
      policy: asking.layer("house").denyWrite("secret"),
      approver,
    });

    expect(made).toEqual(["a"]);
  });
});
