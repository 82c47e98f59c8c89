// A trace under another policy: what it would have decided otherwise, and what it cannot tell.
import {
  type Act,
  type ActType,
  type CallId,
  genesis,
  type JudgedAct,
  type NewEvent,
  type PolicyData,
  type RunEvent,
  redactor,
  runId,
  type StoredEvent,
  seal,
} from "@harness/spec";
import { describe, expect, it } from "vitest";
import { explain, Policy, type PolicyReplay, replayPolicy } from "./index.js";

const old = new Policy()
  .layer("app")
  .allowRead("*")
  .allowWrite("src/*")
  .askWrite("docs/*")
  .allowExec("npm*")
  .denyExec("npm publish*")
  .toJSON();

/** `events` as a store keeps them; `isArchived` empties their words. */
function stored(events: readonly NewEvent[], isArchived = false): readonly StoredEvent[] {
  let head = genesis(runId("run-1"));
  return events.map((event) => {
    const sealed = seal(head, { ...event, seq: head.seq + 1, at: 1_000 } as RunEvent, redactor()).stored;
    head = sealed;
    return isArchived ? { ...sealed, content: null } : sealed;
  });
}

/** A run's first event. Partial: a replay reads nothing else of it. */
function started(policy: PolicyData = old, argv?: readonly string[]): NewEvent {
  const verify = argv ? { type: "command", argv } : { type: "none" };
  return { type: "run.started", step: 0, policy, content: { contract: { verify }, system: "" } } as unknown as NewEvent;
}

const id = (text: string) => text as CallId;
const write = (target: string): Act => ({ type: "write", target });
const exec = (...argv: string[]): Act => ({ type: "exec", target: argv[0] ?? "", argv });
const judged = (...acts: readonly Act[]): readonly JudgedAct[] =>
  acts.map((act) => ({ act, verdict: explain(old, act) }));

const began = (call: string, ...acts: readonly Act[]): NewEvent => ({
  type: "tool.started",
  step: Number.parseInt(call, 10),
  call: id(call),
  acts: judged(...acts),
});
const finished = (call: string): NewEvent =>
  ({
    ...{ type: "tool.finished", step: 1, call: id(call), status: "ok", changed: false, changes: [] },
    content: { text: "", diffs: [] },
  }) as NewEvent;
const refused = (call: string | null, act: ActType, target: string, more: object = {}): NewEvent =>
  ({
    ...{ type: "act.refused", step: 1, call, act, target, rule: null, layer: null, reason: "default" },
    ...more,
    content: { detail: null },
  }) as NewEvent;
const asked = (call: string, ...acts: readonly Act[]): NewEvent =>
  ({
    type: "approval.requested",
    step: 1,
    request: call,
    call,
    tool: "t",
    acts: judged(...acts),
    content: { input: {} },
  }) as never;
const decided = (call: string, decision: "approve" | "deny" | "defer", more: object = {}): NewEvent =>
  ({
    ...{ type: "approval.decided", step: 1, request: call, call, decision, by: "maria", final: false, remember: [] },
    ...more,
    content: { reason: null, input: null },
  }) as never;

const replay = (events: readonly NewEvent[], policy: Policy | PolicyData) => replayPolicy(stored(events), policy);
const kindsOf = ({ differences }: PolicyReplay) => differences.map(({ call, kind }) => [call, kind]);

describe("replayPolicy", () => {
  it("says what would be refused, asked and allowed now, with both rules", async () => {
    const next = new Policy().layer("new").allowRead("*").askWrite("src/*").allowWrite("docs/*").denyExec("npm*");
    const events = [
      started(),
      began("1.1", { type: "read", target: "a" }),
      began("1.2", write("src/a")),
      began("1.3", exec("npm", "test")),
      asked("1.4", write("docs/a")),
      decided("1.4", "approve"),
      began("1.4", write("docs/a")),
    ];

    const { differences, judged } = await replay(events, next);

    const app = (rule: string) => ({ rule, layer: "app" });
    const now = (rule: string) => ({ rule, layer: "new" });
    expect(differences).toMatchObject([
      {
        kind: "other-rule",
        call: "1.1",
        decided: { effect: "allow", ...app("*") },
        now: { effect: "allow", ...now("*") },
      },
      { kind: "now-asked", call: "1.2", step: 1, decided: { effect: "allow", ...app("src/*") }, now: now("src/*") },
      { kind: "now-refused", call: "1.3", act: exec("npm", "test"), now: { effect: "deny", ...now("npm*") } },
      {
        kind: "now-allowed",
        call: "1.4",
        decided: { effect: "ask", ...app("docs/*"), answer: "approved", by: "maria" },
        now: { effect: "allow", ...now("docs/*") },
      },
    ]);
    expect(judged).toBe(4);
  });

  it("adds up by the rule and layer that would decide now, the most frequent first", async () => {
    const next = new Policy().layer("new").allowRead("*").denyWrite("src/*");
    const events = [
      started(),
      began("1.1", exec("npm", "ci")),
      began("2.1", write("src/a")),
      began("3.1", write("src/b")),
    ];

    expect((await replay(events, next)).summary).toEqual([
      { kind: "now-refused", act: "write", rule: "src/*", layer: "new", isRemembered: false, count: 2 },
      { kind: "now-refused", act: "exec", isRemembered: false, count: 1 },
    ]);
  });

  it("counts a call that was made again after a crash once, and another call anew", async () => {
    const events = [
      started(),
      began("1.1", write("src/a")),
      { ...started(), type: "run.resumed" } as NewEvent,
      began("1.1", { ...write("src/a"), before: null } as Act),
      finished("1.1"),
      { type: "step.finished", step: 1, changed: true, ends: null } as NewEvent,
      began("2.1", write("src/a")),
    ];

    expect(kindsOf(await replay(events, new Policy()))).toEqual([
      ["1.1", "now-refused"],
      ["2.1", "now-refused"],
    ]);
  });

  it("hands differences on instead of keeping them, where that is asked for", async () => {
    const found: string[] = [];
    const onDifference = ({ kind }: { kind: string }) => void found.push(kind);

    const { differences, summary } = await replayPolicy(
      stored([started(), began("1.1", write("src/a"))]),
      new Policy(),
      {
        onDifference,
      },
    );

    expect([found, differences]).toEqual([["now-refused"], []]);
    expect(summary).toHaveLength(1);
  });

  it("refuses a policy that cannot be used, and an event that cannot be read", async () => {
    await expect(replay([], { layers: [], defaults: {} } as never)).rejects.toMatchObject({ code: "config-invalid" });
    const broken = { ...(stored([started()])[0] as StoredEvent), facts: '{"type":"tool.started",' };
    await expect(replayPolicy([broken], old)).rejects.toMatchObject({ code: "store-failed", kind: "corrupt" });
  });
});

describe("what somebody was asked", () => {
  const allowing = Policy.permissive();

  it("is told with who answered, also for other arguments that they put in", async () => {
    const events = [
      started(),
      asked("1.1", write("docs/a")),
      decided("1.1", "approve"),
      began("1.1", write("docs/b")),
      asked("1.2", write("docs/c")),
      decided("1.2", "deny"),
      refused("1.2", "write", "docs/c", { rule: "docs/*", layer: "app", reason: "approver" }),
    ];

    const { differences, unjudged } = await replay(events, allowing);

    expect(differences.map(({ act, decided }) => [act.target, decided.answer, decided.by])).toEqual([
      ["docs/a", "approved", "maria"],
      ["docs/b", "approved", "maria"],
      ["docs/c", "denied", "maria"],
    ]);
    expect(unjudged.refusedCalls).toBe(0);
  });

  it("is open where nobody has answered", async () => {
    const events = [started(), asked("1.1", write("docs/a")), decided("1.1", "defer")];

    expect((await replay(events, allowing)).differences).toMatchObject([{ decided: { answer: "open" } }]);
  });

  it("is kept apart when it was to be remembered: the other policy has no such rule yet", async () => {
    const remember = [{ act: "write", effect: "allow", pattern: "docs/*" }];
    const verdict = { effect: "allow", rule: "docs/*", layer: "remembered" } as const;
    const later = { ...began("2.1"), acts: [{ act: write("docs/b"), verdict }] } as NewEvent;
    const events = [started(), asked("1.1", write("docs/a")), decided("1.1", "approve", { remember }), later];

    const { differences, summary } = await replay(events, old);

    expect(differences).toMatchObject([{ kind: "now-asked", call: "2.1", isRemembered: true }]);
    expect(summary).toMatchObject([{ kind: "now-asked", isRemembered: true, count: 1 }]);
  });
});

describe("what was refused", () => {
  const rule = { rule: "npm publish*", layer: "app", reason: "rule" };

  it("is judged again, a command by the words of its line", async () => {
    const events = [
      started(),
      refused("1.1", "exec", "npm publish --tag x", rule),
      refused("1.2", "write", "README.md"),
    ];

    const { differences, unjudged } = await replay(events, Policy.permissive());

    expect(differences).toMatchObject([
      {
        kind: "now-allowed",
        act: exec("npm", "publish", "--tag", "x"),
        decided: { effect: "deny", rule: "npm publish*" },
      },
      { kind: "now-allowed", act: write("README.md"), decided: { effect: "deny" } },
    ]);
    expect(unjudged).toMatchObject({ refusedCalls: 2, refusedUnclear: 0 });
  });

  it("is counted and not guessed where what is kept does not lead back to the rule that was named", async () => {
    const program = new Policy().layer("app").denyExec("my tool").allowExec("*").toJSON();
    const events = [
      started(program),
      refused("1.1", "exec", "my tool --fast", { rule: "my tool", layer: "app", reason: "rule" }),
    ];

    const { differences, unjudged } = await replay(events, Policy.permissive());

    expect(differences).toEqual([]);
    expect(unjudged).toMatchObject({ refusedCalls: 1, refusedUnclear: 1 });
  });

  it("is read without case where only that leads back to the rule", async () => {
    const upper = new Policy().layer("app").denyRead("SECRET").toJSON();
    const events = [started(upper), refused("1.1", "read", "secret", { rule: "SECRET", layer: "app", reason: "rule" })];

    expect((await replay(events, Policy.permissive())).differences).toMatchObject([{ act: { foldsCase: true } }]);
  });

  it("is nobody's to lift when a tool refused it, or a plan had to come first", async () => {
    const events = [
      started(),
      refused("1.1", "write", "../x", { reason: "tool" }),
      refused("1.2", "write", "src/a", { rule: "*", layer: "plan-gate", reason: "rule" }),
    ];

    const { differences, unjudged } = await replay(events, Policy.permissive());

    expect(differences).toEqual([]);
    expect(unjudged).toMatchObject({ refusedByTools: 1, refusedWhilePlanning: 1, refusedCalls: 0 });
  });

  it("of the provider's hosts is lifted only by a policy without a rule against them", async () => {
    const denying = new Policy().layer("app").denyNet("api.x.com").toJSON();
    const host = refused(null, "net", "api.x.com:443", { rule: "api.x.com", layer: "app", reason: "rule" });

    const lifted = await replay([started(denying), host], new Policy());
    const kept = await replay([started(denying), host], denying);

    expect(lifted.differences).toMatchObject([{ kind: "now-allowed", call: null, now: { layer: "provider" } }]);
    expect(kept).toMatchObject({ differences: [], unjudged: { endpoints: 0 } });
    expect((await replay([started()], old)).unjudged.endpoints).toBe(1);
  });
});

describe("the gate's command", () => {
  const gate = (attempt: number): readonly NewEvent[] => [
    { type: "gate.started", step: 1, attempt },
    { type: "sandbox.started", step: 1, owner: "gate", argv: ["npm", "test"] } as never,
    {
      type: "gate.finished",
      step: 1,
      attempt,
      result: "passed",
      exitCode: 0,
      reveal: true,
      content: { detail: "", output: "" },
    },
  ];

  it("is judged each time it was asked", async () => {
    const events = [started(old, ["npm", "test"]), ...gate(1), ...gate(2)];

    expect(kindsOf(await replay(events, new Policy()))).toEqual([
      ["gate", "now-refused"],
      ["gate", "now-refused"],
    ]);
  });

  it("is read off the command itself in an archived run, and counted where that never ran", async () => {
    const [begun, , ended] = gate(1) as [NewEvent, NewEvent, NewEvent];
    const ran = await replayPolicy(stored([started(old, ["npm", "test"]), ...gate(1)], true), new Policy());
    const never = await replayPolicy(stored([started(old, ["npm", "test"]), begun, ended], true), new Policy());

    expect(ran).toMatchObject({ differences: [{ call: "gate", kind: "now-refused" }], unjudged: { gates: 0 } });
    expect(never).toMatchObject({ differences: [], unjudged: { gates: 1 } });
  });

  it("is not missed where there is none", async () => {
    expect((await replay([started(), ...gate(1)], new Policy())).unjudged.gates).toBe(0);
  });
});

describe("what a trace does not hold", () => {
  it("is a call without acts, counted", async () => {
    const { unjudged, judged } = await replay([started(), finished("1.1"), began("1.2"), finished("1.2")], old);

    expect([judged, unjudged.callsWithoutActs]).toEqual([0, 1]);
  });

  it("is nothing of the facts when it was archived", async () => {
    const events = [started(), asked("1.1", write("docs/a")), decided("1.1", "approve"), began("1.2", write("src/a"))];

    const archived = await replayPolicy(stored(events, true), new Policy());

    expect(archived.differences).toEqual((await replay(events, new Policy())).differences);
  });
});

describe("the network of commands", () => {
  const command = { type: "sandbox.started", step: 1, owner: "1.1", argv: ["make"] } as never;

  it("is counted where it would be open or closed now", async () => {
    const open = new Policy().allowNet("*");

    expect((await replay([started(), command, command], open)).egress).toEqual({ nowOpen: 2, nowClosed: 0 });
    expect((await replay([started(open.toJSON()), command], old)).egress).toEqual({ nowOpen: 0, nowClosed: 1 });
    expect((await replay([started(), command], old)).egress).toEqual({ nowOpen: 0, nowClosed: 0 });
  });
});
