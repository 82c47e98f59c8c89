import { Policy } from "@harness/policy";
import type { RunEvent } from "@harness/spec";
import { call, calls, fail, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { deferred, reader, writer } from "../tools/tools.test-support.js";
import { approve, completed } from "./answers.js";
import { eventsIn, only, openStage, rowsIn, statuses, storeWith, theRun } from "./stage.test-support.js";

const stage = openStage();

describe("the policy", () => {
  const closed = new Policy().layer("house").allowRead("*");
  const script = [call("change"), call("change", { path: "b" }), say("Done.")];
  const tools = [writer()];

  it("is the recorded one when none is given", async () => {
    const { store } = await stage.drive(script, { tools, policy: closed, contract: { limits: { maxSteps: 1 } } });

    const { events } = await stage.goOn(store, script, { tools, limits: { maxSteps: 9 } });

    expect(statuses(events)).toEqual(["1.1: refused", "2.1: refused"]);
    expect(only(events, "run.resumed")).toMatchObject([{ policy: closed.toJSON() }]);
  });

  it("is recorded when one is given, and holds for the next resume", async () => {
    const { store } = await stage.drive(script, { tools, policy: closed, contract: { limits: { maxSteps: 1 } } });
    await stage.goOn(store, script, { tools, policy: Policy.permissive(), limits: { maxSteps: 2 } });

    const { events } = await stage.goOn(store, script, { tools, limits: { maxSteps: 9 } });

    expect(statuses(events)).toEqual(["1.1: refused", "2.1: ok"]);
    const expected = Policy.permissive().toJSON();
    expect(only(events, "run.resumed").map(({ policy }) => policy)).toEqual([expected, expected]);
  });

  it("is the standard one for a run that was started without any", async () => {
    const { outcome, events } = await stage.drive(script, { tools, policy: undefined as never });

    expect(outcome.type).toBe("awaiting-approval");
    expect(only(events, "run.started")).toMatchObject([{ policy: Policy.standard().toJSON() }]);
  });
});

describe("tools", () => {
  it("that a resume lacks are an answer to the model, and the run goes on", async () => {
    const script = [calls(call("look"), call("change"), call("look")), say("Done.")];
    const policy = Policy.permissive().defaults({ write: "ask" });
    const { store } = await stage.drive(script, { tools: [reader(), writer()], policy });

    const { outcome, events } = await stage.goOn(store, script, { tools: [reader()], decision: approve() });

    expect(outcome.type).toBe("finished");
    expect(statuses(events)).toEqual(["1.1: ok", "1.2: invalid", "1.3: ok"]);
  });

  it("that may be made once only and that a resume lacks are asked about, not forgotten", async () => {
    const begun = deferred();
    const send = writer("send", () => new Promise<undefined>(() => begun.resolve()), { recovery: "indeterminate" });
    const { store } = stage.begin([call("send"), say("Done.")], { tools: [send] });
    await begun.promise;
    const copy = await storeWith(await rowsIn(store));

    const { outcome, store: waiting } = await stage.goOn(copy, []);
    expect(outcome).toEqual({ type: "awaiting-recovery", callId: "1.1", steps: 0 });

    const again = await stage.goOn(waiting, [call("send"), say("Done.")], { recovery: completed("It was sent.") });
    expect(again.outcome.type).toBe("finished");
    expect(statuses(again.events)).toEqual(["1.1: ok"]);
  });
});

describe("two drivers", () => {
  it("cannot have one run: the second is told who has it and until when, before it asks anyone", async () => {
    const open = deferred();
    const { store } = await stage.drive([fail("auth")], { contract: {} });
    const tools = [reader("look", async () => void (await open.promise))];

    const first = stage.goOn(store, [call("look"), say("Done.")], { tools, leaseTtlMs: 90_000 });
    await expect(stage.goOn(store, [call("look")], { tools })).rejects.toMatchObject({
      code: "run-conflict",
      runId: theRun,
      owner: expect.stringMatching(/^driver-owner-\d+$/),
      expiresAt: expect.closeTo(Date.now() + 90_000, -5),
    });
    open.resolve();

    expect((await first).outcome.type).toBe("finished");
    expect(only(await eventsIn(store), "run.resumed")).toHaveLength(1);
  });

  it("see one end when the other one came first: the log is read under the lease", async () => {
    const { store } = await stage.drive([fail("auth")]);
    const mayAcquire = deferred();
    const late = {
      ...store,
      async acquire(...given: Parameters<typeof store.acquire>) {
        await mayAcquire.promise;
        return store.acquire(...given);
      },
    };

    const second = stage.goOn(late, []);
    const first = await stage.goOn(store, [say("Done.")]);
    mayAcquire.resolve();

    expect((await second).result).toEqual(first.result);
    expect((await second).provider.asked).toBe(0);
  });
});

describe("what a resume brings with it", () => {
  it("is recorded: its labels are added to those that are there", async () => {
    const { store } = await stage.drive([fail("auth")], { labels: { ticket: "T-1", host: "a" } });

    const { events } = await stage.goOn(store, [say("Done.")], { labels: { host: "b" } });

    expect(only(events, "run.resumed")).toMatchObject([{ labels: { ticket: "T-1", host: "b" } }]);
  });

  it("is told of what happens from then on, and not of what happened before", async () => {
    const { store, events: before } = await stage.drive([fail("auth")]);
    const seen: RunEvent[] = [];

    const { events } = await stage.goOn(store, [say("Done.")], {
      observers: [{ onEvent: (_run, event) => seen.push(event) }],
    });

    expect(seen[0]?.type).toBe("run.resumed");
    expect(seen).toEqual(events.slice(before.length));
  });
});
