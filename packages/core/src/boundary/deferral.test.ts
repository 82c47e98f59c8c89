import { Policy } from "@harness/policy";
import type { Approver, Rule } from "@harness/spec";
import { call, calls, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { approve, deny } from "../run/answers.js";
import { only, openStage, rowsIn, statuses, storeWith, typesOf } from "../run/stage.test-support.js";
import { reader, writer } from "../tools/tools.test-support.js";

const stage = openStage();
const asking = Policy.permissive().defaults({ write: "ask" });

function counted() {
  const made: unknown[] = [];
  const note = async ({ path, nth }: { path?: unknown; nth?: unknown }) => void made.push(nth ?? path);
  return { made, tools: [reader("look", note), writer("change", note)] };
}

describe("a call that nobody decides on", () => {
  it.each<[how: string, approver: Approver | undefined, detail: string | null]>([
    ["because there is no approver", undefined, "no approver was given"],
    ["because the approver defers", { decide: async () => ({ type: "defer" }) }, null],
    [
      "because the approver fails",
      { decide: async () => Promise.reject(new Error("offline")) },
      "the approver failed: offline",
    ],
    [
      "because the approver throws at once",
      {
        decide: () => {
          throw new Error("offline");
        },
      },
      "the approver failed: offline",
    ],
  ])("%s waits for someone who does", async (_how, approver, detail) => {
    const { made, tools } = counted();
    const { outcome, events } = await stage.drive([call("change")], {
      tools,
      policy: asking,
      ...(approver ? { approver } : {}),
    });

    expect(outcome).toEqual({ type: "awaiting-approval", requestId: "the-run/1.1", steps: 0 });
    expect(only(events, "approval.decided")).toMatchObject([{ decision: "defer", content: { reason: detail } }]);
    expect(made).toEqual([]);
  });

  it.each<[what: string, answer: unknown]>([
    ["nothing", undefined],
    ["yes in other words", { type: "approved" }],
    ["a bare yes", true],
    ["a word", "approve"],
    [
      "a rule to remember that is none",
      { type: "approve", remember: [{ act: "write", effect: "alow", pattern: "*" }] },
    ],
  ])("because the approver answers with %s waits, too: a boundary that cannot decide denies", async (_what, answer) => {
    let asked = 0;
    const approver: Approver = {
      async decide() {
        asked += 1;
        return asked > 3 ? { type: "defer" } : (answer as never);
      },
    };
    const { made, tools } = counted();
    const { outcome, store } = await stage.drive([call("change"), call("change", { nth: 2 })], {
      tools,
      policy: asking,
      approver,
    });

    expect(outcome).toMatchObject({ type: "awaiting-approval" });
    expect([asked, made]).toEqual([1, []]);
    const again = await stage.goOn(store, [call("change"), say("Done.")], { tools, decision: approve() });
    expect(again.outcome.type).toBe("finished");
  });
});

describe("a run that waits for an approval", () => {
  it.each([1, 2, 7])("in step %i goes on from there when it is decided, whoever resumes it", async (position) => {
    const { made, tools } = counted();
    const before = Array.from({ length: position - 1 }, (_, nth) => call("look", { nth: nth + 1 }));
    const script = [
      ...before,
      say("Now.", call("look", { nth: "beside" }), call("change", { nth: "asked" }), call("look", { nth: "behind" })),
      say("Done."),
    ];
    const { outcome, store } = await stage.drive(script, { tools, policy: asking });
    expect(outcome).toEqual({ type: "awaiting-approval", requestId: `the-run/${position}.2`, steps: position - 1 });
    const looked = [...made];
    made.length = 0;

    const { outcome: end, events, provider } = await stage.goOn(store, script, { tools, decision: approve() });

    expect(end).toEqual({ type: "finished", steps: position + 1 });
    expect(looked).toEqual([...before.map((_, nth) => nth + 1), "beside"]);
    expect(made).toEqual(["asked", "behind"]);
    expect(provider.asked).toBe(1);
    expect(only(events, "approval.decided").at(-1)).toMatchObject({ decision: "approve", by: "resume" });
  });

  it.each([
    ["a decision is brought although there is an approver", { approver: { decide: async () => deny("no") } }],
    ["a policy is brought", { policy: asking }],
    ["limits are brought", { limits: { maxSteps: 20 } }],
    ["labels are brought", { labels: { a: "b" } }],
  ])("takes the decision when %s", async (_what, options) => {
    const { made, tools } = counted();
    const { store } = await stage.drive([call("change"), say("Done.")], { tools, policy: asking });

    const { outcome } = await stage.goOn(store, [call("change"), say("Done.")], {
      tools,
      decision: approve(),
      ...options,
    });

    expect(outcome.type).toBe("finished");
    expect(made).toEqual(["file"]);
  });

  it("does not ask again about what was decided before it died", async () => {
    const { made, tools } = counted();
    const approver = { decide: async () => approve({ input: { path: "other" } }) };
    const policy = asking.allowWrite("other");
    const { store, events } = await stage.drive([call("change"), say("Done.")], { tools, policy, approver });
    const [decided] = only(events, "approval.decided");
    made.length = 0;

    const { outcome } = await stage.goOn(
      await storeWith(await rowsIn(store), decided?.seq),
      [call("change"), say("Done.")],
      { tools },
    );

    expect(outcome.type).toBe("finished");
    expect(made).toEqual(["other"]);
  });

  it("asks about two calls of one step in turn, across restarts", async () => {
    const { made, tools } = counted();
    const script = [
      calls(call("change", { nth: 1 }), call("look", { nth: 2 }), call("change", { nth: 3 })),
      say("Done."),
    ];
    const first = await stage.drive(script, { tools, policy: asking });
    const second = await stage.goOn(first.store, script, { tools, decision: deny("Not the first.") });
    const third = await stage.goOn(first.store, script, { tools, decision: approve() });

    expect(first.outcome).toMatchObject({ requestId: "the-run/1.1" });
    expect(second.outcome).toMatchObject({ requestId: "the-run/1.3" });
    expect(third.outcome).toEqual({ type: "finished", steps: 2 });
    expect(made).toEqual([2, 3]);
    expect(statuses(third.events)).toEqual(["1.1: refused", "1.2: ok", "1.3: ok"]);
  });

  it("waits on when it is resumed without a decision, or with none", async () => {
    const { made, tools } = counted();
    const { store, outcome } = await stage.drive([call("change")], { tools, policy: asking });

    expect((await stage.goOn(store, [], { tools })).outcome).toEqual(outcome);
    expect((await stage.goOn(store, [], { tools, decision: { type: "defer" } })).outcome).toEqual(outcome);
    expect(made).toEqual([]);
  });

  it("is refused what was approved when a stricter policy denies it by then", async () => {
    const { made, tools } = counted();
    const script = [call("change", { path: "a" }), say("Done.")];
    const { store } = await stage.drive(script, { tools, policy: asking });

    const { outcome, events } = await stage.goOn(store, script, {
      tools,
      decision: approve(),
      policy: asking.denyWrite("a"),
    });

    expect(outcome.type).toBe("finished");
    expect(statuses(events)).toEqual(["1.1: refused"]);
    expect(made).toEqual([]);
  });

  it("ends as denied by a resume that says so for good", async () => {
    const { tools } = counted();
    const { store } = await stage.drive([call("change")], { tools, policy: asking });

    const { outcome } = await stage.goOn(store, [], { tools, decision: deny("Never.", { final: true }) });

    expect(outcome).toEqual({ type: "denied", steps: 0 });
    await expect(rowsIn(store)).resolves.not.toHaveLength(0);
  });

  it("takes a decision once: a second one finds nothing to decide", async () => {
    const { tools } = counted();
    const script = [call("change", { nth: 1 }), call("look")];
    const { store } = await stage.drive(script, { tools, policy: asking, contract: { limits: { maxSteps: 2 } } });
    await stage.goOn(store, script, { tools, decision: approve() });

    await expect(stage.goOn(store, script, { tools, decision: approve() })).rejects.toMatchObject({
      code: "resume-refused",
    });
  });

  it("takes the arguments that were asked about from its log, not from the model again", async () => {
    const { made, tools } = counted();
    const { store } = await stage.drive([call("change", { nth: "asked about" })], { tools, policy: asking });

    const { provider } = await stage.goOn(store, [call("change", { nth: "another" }), say("Done.")], {
      tools,
      decision: approve(),
    });

    expect(made).toEqual(["asked about"]);
    expect(provider.attempts(1)).toBe(0);
  });
});

describe("a rule that was to be remembered", () => {
  it("holds from the next step and no earlier, wherever the run was cut", async () => {
    const rule: Rule = { act: "write", effect: "allow", pattern: "*" };
    const script = [
      calls(call("change", { nth: 1 }), call("change", { nth: 2 })),
      call("change", { nth: 3 }),
      say("Done."),
    ];
    const { tools } = counted();
    const approver = { decide: async () => approve({ remember: [rule] }) };
    const whole = await stage.drive(script, { tools, policy: asking, approver });
    const rows = await rowsIn(whole.store);
    const asked = only(whole.events, "approval.requested").map((event) => event.call);
    expect(asked).toEqual(["1.1", "1.2"]);

    for (let kept = 1; kept < rows.length; kept += 1) {
      const again = await stage.goOn(await storeWith(rows, kept), script, { tools, approver });
      const where = `cut behind event ${kept}: ${typesOf(whole.events)[kept - 1]}`;
      expect([...new Set(only(again.events, "approval.requested").map((event) => event.call))], where).toEqual(asked);
    }
  });
});
