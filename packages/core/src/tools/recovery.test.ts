import { Policy } from "@harness/policy";
import type { AnyTool, Probe, Store } from "@harness/spec";
import { call, calls, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { abort, completed, retry } from "../run/answers.js";
import { only, openStage, rowsIn, statuses, storeWith, typesOf } from "../run/stage.test-support.js";
import { reader, writer } from "./tools.test-support.js";

const stage = openStage();
const script = [calls(call("look"), call("send", { path: "mail" }), call("look")), say("Done.")];

/** A store whose run died while `send` was under way, or for a second time with the same call. */
async function interrupted(tools: readonly AnyTool[], replies = script): Promise<Store> {
  const { store, events } = await stage.drive(replies, { tools });
  const started = events.find((event) => event.type === "tool.started" && event.call === "1.2");
  return storeWith(await rowsIn(store), started?.seq);
}

function counting(more: Partial<AnyTool> = {}) {
  const counts = { looked: 0, sent: 0 };
  const send = writer("send", async () => void counts.sent++, { recovery: "indeterminate", ...more });
  return { counts, tools: [reader("look", async () => void counts.looked++), send] };
}

describe("an effect that may have happened", () => {
  it("waits for a person, however often the run is resumed, and is not made again", async () => {
    const { counts, tools } = counting();
    const store = await interrupted(tools);

    for (let nth = 0; nth < 3; nth += 1) {
      const { outcome, provider } = await stage.goOn(store, [], { tools });
      expect(outcome).toEqual({ type: "awaiting-recovery", callId: "1.2", steps: 0 });
      expect(provider.asked).toBe(0);
    }
    expect(counts).toEqual({ looked: 2, sent: 1 });
  });

  it("is taken as made when they say so, and what they say is its result", async () => {
    const { counts, tools } = counting();
    const store = await interrupted(tools);

    const { outcome, provider, events } = await stage.goOn(store, script, {
      tools,
      recovery: completed("It went out at noon."),
    });

    expect(outcome.type).toBe("finished");
    expect(counts).toEqual({ looked: 3, sent: 1 });
    expect(only(events, "recovery.decided")).toMatchObject([{ call: "1.2", decision: "completed", by: "resume" }]);
    expect(provider.requests[0]?.request.messages.at(-1)).toMatchObject({
      results: [{ call: "1.1" }, { call: "1.2", content: "It went out at noon." }, { call: "1.3" }],
    });
  });

  it("is made again when they say so, under the same rules", async () => {
    const { counts, tools } = counting();
    const open = await interrupted(tools);
    const closed = await interrupted(counting().tools);

    expect((await stage.goOn(open, script, { tools, recovery: retry() })).outcome.type).toBe("finished");
    expect(counts.sent).toBe(2);

    const denied = counting();
    const policy = Policy.permissive().denyWrite("mail");
    const refused = await stage.goOn(closed, script, { tools: denied.tools, recovery: retry(), policy });
    expect(statuses(refused.events)).toEqual(["1.1: ok", "1.2: refused", "1.3: ok"]);
    expect(denied.counts.sent).toBe(0);
  });

  it("ends the run as denied when they say so", async () => {
    const { counts, tools } = counting();
    const store = await interrupted(tools);

    const { outcome } = await stage.goOn(store, [], { tools, recovery: abort() });

    expect(outcome).toEqual({ type: "denied", steps: 0 });
    expect((await stage.goOn(store, [], { tools })).outcome).toEqual(outcome);
    expect(counts.sent).toBe(1);
  });

  it("is asked about again when the second attempt is cut short, too", async () => {
    const { tools } = counting();
    const store = await interrupted(tools);
    const { store: retried, events } = await stage.goOn(store, script, { tools, recovery: retry() });
    const again = events.filter((event) => event.type === "tool.started" && event.call === "1.2")[1];

    const { outcome } = await stage.goOn(await storeWith(await rowsIn(retried), again?.seq), [], { tools });

    expect(outcome).toEqual({ type: "awaiting-recovery", callId: "1.2", steps: 0 });
  });

  it("takes one answer for one call: the next unknown one is asked about in its turn", async () => {
    const { counts, tools } = counting();
    const twice = [calls(call("look"), call("send", { path: "a" }), call("send", { path: "b" })), say("Done.")];
    const first = await interrupted(tools, twice);
    counts.sent = 0;
    const { store, events } = await stage.goOn(first, twice, { tools, recovery: completed("sent") });
    const second = events.findLast((event) => event.type === "tool.started" && event.call === "1.3");
    const cut = await storeWith(await rowsIn(store), second?.seq);

    expect((await stage.goOn(cut, [], { tools })).outcome).toMatchObject({ type: "awaiting-recovery", callId: "1.3" });
    expect((await stage.goOn(cut, twice, { tools, recovery: completed("sent") })).outcome.type).toBe("finished");
    expect(counts.sent).toBe(1);
  });

  it("costs only the call: what was finished beside it is not made again", async () => {
    const made: string[] = [];
    const tool = (name: string) => writer(name, async () => void made.push(name), { recovery: "indeterminate" });
    const tools = ["one", "two", "three"].map(tool);
    const three = [calls(call("one"), call("two"), call("three")), say("Done.")];
    const { store, events } = await stage.drive(three, { tools });
    const cut = await storeWith(await rowsIn(store), only(events, "tool.started")[2]?.seq);
    made.length = 0;

    const { outcome } = await stage.goOn(cut, three, { tools, recovery: retry() });

    expect(outcome.type).toBe("finished");
    expect(made).toEqual(["three"]);
  });
});

describe("a look at the world", () => {
  const probing = (probe: () => Promise<Probe>) => counting({ probe });

  it.each<[what: string, probe: Probe, sent: number, decision: string]>([
    ["that finds it done settles it", { type: "done", result: { text: "Found in the outbox." } }, 1, "completed"],
    ["that finds it not done has it made again", { type: "not-done" }, 2, "retry"],
  ])("%s before any person is asked", async (_what, probe, sent, decision) => {
    const { counts, tools } = probing(async () => probe);
    const store = await interrupted(tools);

    const { outcome, events } = await stage.goOn(store, script, { tools });

    expect(outcome.type).toBe("finished");
    expect(counts.sent).toBe(sent);
    expect(only(events, "recovery.decided")).toMatchObject([{ call: "1.2", decision, by: "probe" }]);
    expect(typesOf(events)).not.toContain("recovery.requested");
  });

  it("is told what the call was granted", async () => {
    const seen: unknown[] = [];
    const { tools } = counting({
      async probe(input, { granted, call: id }) {
        seen.push([input, id, granted.map(({ act }) => act)]);
        return { type: "not-done" };
      },
    });

    await stage.goOn(await interrupted(tools), script, { tools });

    expect(seen).toEqual([[{ path: "mail" }, "1.2", [{ type: "write", target: "mail" }]]]);
  });

  it.each<[what: string, probe: () => Promise<Probe>]>([
    ["does not know", async () => ({ type: "unknown" })],
    ["fails", async () => Promise.reject(new Error("The mail server is down."))],
    [
      "throws at once",
      () => {
        throw new Error("at once");
      },
    ],
    ["answers nothing", async () => undefined as never],
  ])("that %s leaves it to a person", async (_what, probe) => {
    const { counts, tools } = probing(probe);

    const { outcome } = await stage.goOn(await interrupted(tools), [], { tools });

    expect(outcome).toEqual({ type: "awaiting-recovery", callId: "1.2", steps: 0 });
    expect(counts.sent).toBe(1);
  });

  it("that answers with what is no finding leaves it to a person, having been asked once", async () => {
    let asked = 0;
    const { tools } = probing(async () => {
      asked += 1;
      if (asked > 3) return { type: "unknown" };
      return { type: "perhaps" } as never;
    });

    const { outcome } = await stage.goOn(await interrupted(tools), [], { tools });

    expect(outcome.type).toBe("awaiting-recovery");
    expect(asked).toBe(1);
  });
});

describe("a look that is under way when the run is cancelled", () => {
  it("is made again by the next resume", async () => {
    const stop = new AbortController();
    let looks = 0;
    const { counts, tools } = counting({
      async probe() {
        looks += 1;
        stop.abort("enough");
        return { type: "not-done" };
      },
    });
    const store = await interrupted(tools);

    const first = await stage.goOn(store, [], { tools, signal: stop.signal });
    expect(first.outcome).toMatchObject({ type: "cancelled", reason: "enough" });
    expect(counts.sent).toBe(1);

    expect((await stage.goOn(store, script, { tools })).outcome.type).toBe("finished");
    expect([looks, counts.sent]).toEqual([2, 2]);
  });
});

describe("a call that may be made again", () => {
  it("is made again by a resume, without asking anyone, as what it was when it was asked for", async () => {
    const { counts, tools } = counting({ recovery: "replayable" });
    const store = await interrupted(tools);
    const stricter = counting({ recovery: "indeterminate" });

    const { outcome } = await stage.goOn(store, script, { tools: stricter.tools });

    expect(outcome.type).toBe("finished");
    expect([counts.sent, stricter.counts.sent]).toEqual([1, 1]);
  });

  it("keeps the approval that it was granted", async () => {
    const { counts, tools } = counting({ recovery: "replayable" });
    const policy = Policy.permissive().defaults({ write: "ask" });
    const approver = { decide: async () => ({ type: "approve" }) as const };
    const { store, events } = await stage.drive(script, { tools, policy, approver });
    const started = events.find((event) => event.type === "tool.started" && event.call === "1.2");

    const { outcome } = await stage.goOn(await storeWith(await rowsIn(store), started?.seq), script, { tools });

    expect(outcome.type).toBe("finished");
    expect(counts.sent).toBe(2);
  });

  it("is refused when a stricter policy denies it by then", async () => {
    const { counts, tools } = counting({ recovery: "replayable" });
    const store = await interrupted(tools);

    const { events } = await stage.goOn(store, script, { tools, policy: Policy.permissive().denyWrite("mail") });

    expect(statuses(events)).toEqual(["1.1: ok", "1.2: refused", "1.3: ok"]);
    expect(counts.sent).toBe(1);
  });
});
