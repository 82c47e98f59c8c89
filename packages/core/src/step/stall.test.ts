import { call, calls, type Reply, type Script, say } from "@harness/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkingSandbox } from "../gate/gates.test-support.js";
import { only, openStage, rowsIn, storeWith, type typesOf } from "../run/stage.test-support.js";
import { reader, writer } from "../tools/tools.test-support.js";
import { noStall, type StallState, stallSign } from "./stall.js";

const stage = openStage();
const still = writer("write_file", async () => ({ changed: false }));
const tools = [reader("ls"), reader("read_file"), writer("touch"), still];
const limits = { maxSteps: 40 };
const repeat = (reply: Reply, times: number): Script => Array.from({ length: times }, () => reply);
const signs = (events: Parameters<typeof typesOf>[0]) =>
  events.flatMap((event) => {
    if (event.type === "run.stalled") return [`${event.step}: ${event.why}`];
    return event.type === "run.replanned" ? [`${event.step}: told`] : [];
  });

describe("a run that goes round in circles", () => {
  it("with the same call over and over is told so once, then ends as stalled, long before its steps run out", async () => {
    const script = Array.from({ length: 40 }, (_, nth) => ({ ...call("ls", { dir: "." }), text: `Try ${nth}.` }));

    const { outcome, events, provider } = await stage.drive(script, { tools, contract: { limits } });

    expect(outcome).toEqual({ type: "stalled", steps: 6 });
    expect(signs(events)).toEqual(["3: repetition", "3: told", "6: repetition"]);
    expect(provider.asked).toBe(6);
  });

  it("is judged by its calls, not by what the vendor calls them or in which order it writes their arguments", async () => {
    const script = Array.from({ length: 40 }, (_, nth) => ({
      calls: [
        {
          name: "ls",
          arguments: nth % 2 ? { a: 1, b: { c: 2, d: 3 } } : { b: { d: 3, c: 2 }, a: 1 },
          vendorId: `call_${nth}`,
        },
      ],
    }));

    expect((await stage.drive(script, { tools, contract: { limits } })).outcome).toEqual({ type: "stalled", steps: 6 });
  });

  it.each([
    ["a write that succeeds and says that it changed something", call("touch", { path: "a" })],
    ["a write that leaves the same bytes", call("write_file", { path: "a" })],
    ["a read", call("read_file", { path: "a" })],
    ["a call that fails", call("no_such_tool")],
    ["several calls at once", calls(call("ls"), call("touch"))],
  ])("stalls by repeating %s", async (_what, reply) => {
    const { outcome } = await stage.drive(repeat(reply, 10), { tools, contract: { limits } });

    expect(outcome).toEqual({ type: "stalled", steps: 6 });
  });

  it("stalls by answering without a call while the check does not pass", async () => {
    const { outcome } = await stage.drive(repeat(say("I am done."), 10), {
      sandbox: checkingSandbox(1),
      contract: { limits, verify: { type: "command", argv: ["check"] } },
    });

    expect(outcome).toEqual({ type: "stalled", steps: 6 });
  });

  it.each([
    ["two", ["ls", "ls -la"]],
    ["three", ["ls", "ls -la", "cat"]],
  ])("is noticed when the circle has %s steps", async (_count, circle) => {
    const script = Array.from({ length: 40 }, (_, nth) =>
      call("touch", { command: circle[nth % circle.length] ?? "" }),
    );

    const { outcome, events } = await stage.drive(script, { tools, contract: { limits } });

    expect(outcome.type).toBe("stalled");
    expect(outcome.steps).toBe(2 * 3 * circle.length);
    expect(only(events, "run.stalled").map(({ why }) => why)).toEqual(["cycle", "cycle"]);
  });

  it("is noticed when it looks at the same things again, in any order, and nothing has changed", async () => {
    const script = ["a", "b", "c", "b", "d", "e", "f", "e", "g", "h"].map((path) => call("read_file", { path }));

    const { events } = await stage.drive([...script, say("")], {
      tools,
      contract: { limits: { ...limits, maxReplans: 9 } },
    });

    expect(signs(events)).toEqual(["4: no-change", "4: told", "8: no-change", "8: told"]);
  });

  it("is noticed in six looks of one kind and five of another, alternating", async () => {
    const script = Array.from({ length: 11 }, (_, nth) => call("ls", { argv: nth % 2 ? "ls -la" : "ls" }));

    expect((await stage.drive([...script, say("")], { tools, contract: { limits } })).outcome).toMatchObject({
      type: "stalled",
    });
  });
});

describe("a run that does not", () => {
  it.each<[what: string, script: Script]>([
    ["reads four different files", ["a", "b", "c", "d"].map((path) => call("read_file", { path }))],
    [
      "reads again what it has changed since",
      ["r", "w1", "r", "w2", "r", "w3", "r", "w4"].map((step) =>
        step === "r" ? call("read_file", { path: "a" }) : call("touch", { path: "a", text: step }),
      ),
    ],
    ["repeats itself twice only", [call("ls"), call("ls"), call("touch"), call("ls"), call("ls")]],
    ["makes one call with different arguments", Array.from({ length: 12 }, (_, nth) => call("ls", { nth }))],
  ])("such as one that %s is left alone", async (_what, script) => {
    const { outcome, events } = await stage.drive([...script, say("Done.")], { tools, contract: { limits } });

    expect(signs(events)).toEqual([]);
    expect(outcome.type).toBe("finished");
  });

  it("is not looked at when the window is 0", async () => {
    const contract = { limits: { maxSteps: 20, stallWindow: 0 } };

    expect((await stage.drive(repeat(call("ls"), 20), { tools, contract })).outcome).toMatchObject({ limit: "steps" });
  });
});

describe("what a stalled run is told", () => {
  it("is the next thing the model reads, is in the log, and survives a crash", async () => {
    const script = [...repeat(call("ls"), 3), say("I see.")];
    const { provider, events, store } = await stage.drive(script, { tools });
    const last = provider.requests.at(-1)?.request.messages.at(-1);
    expect(last).toMatchObject({ role: "user", text: expect.stringContaining("ls") });

    const [told] = only(events, "run.replanned");
    const again = await stage.goOn(await storeWith(await rowsIn(store), told?.seq), script, { tools });

    expect(again.provider.requests.at(-1)?.request.messages.at(-1)).toEqual(last);
  });

  it("counts over resumes: a run is not told more often than the contract says", async () => {
    const script = repeat(call("ls"), 12);
    const { store } = await stage.drive(script, { tools, contract: { limits: { maxSteps: 4 } } });

    const { outcome, events } = await stage.goOn(store, script, { tools, limits: { maxSteps: 40 } });

    expect(outcome).toEqual({ type: "stalled", steps: 6 });
    expect(only(events, "run.replanned")).toHaveLength(1);
  });

  it.each([0, 1, 2, 3])("is said %i times when the contract says so", async (maxReplans) => {
    const { outcome, events } = await stage.drive(repeat(call("ls"), 40), {
      tools,
      contract: { limits: { ...limits, maxReplans } },
    });

    expect(outcome).toEqual({ type: "stalled", steps: 3 * (maxReplans + 1) });
    expect(only(events, "run.replanned").map(({ nth }) => nth)).toEqual([1, 2, 3].slice(0, maxReplans));
  });
});

describe("stallSign", () => {
  const step = fc.record({ name: fc.constantFrom("a", "b", "c", "d"), changed: fc.boolean() });
  const window = fc.integer({ min: 1, max: 5 });

  /** What the state is after `steps`, as the fold makes it, without any sign having been acted on. */
  function after(steps: readonly { name: string; changed: boolean }[]): StallState {
    const since = [...steps].reverse().findIndex(({ changed }) => changed);
    return { ...noStall, recent: steps.map(({ name }) => name), unchanged: since === -1 ? steps.length : since };
  }

  it("never speaks of a step that is unlike every step before it", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), window, fc.boolean(), (steps, size, changed) => {
        expect(stallSign(after(steps), "unlike", changed, size)).toBeUndefined();
      }),
    );
  });

  it("always speaks of a step that is made as often as the window says, from 2 on", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 9 }),
        fc.integer({ min: 2, max: 5 }),
        fc.boolean(),
        (steps, size, changed) => {
          const same = Array.from({ length: size - 1 }, () => ({ name: "x", changed: true }));
          expect(stallSign(after([...steps, ...same]), "x", changed, size)).toBe("repetition");
        },
      ),
    );
  });

  it("says that nothing changed only when nothing has for at least the window, this step included", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), step, window, (steps, { name, changed }, size) => {
        if (stallSign(after(steps), name, changed, size) !== "no-change") return;
        const tail = steps.slice(-size);
        expect(changed).toBe(false);
        expect(tail).toHaveLength(size);
        expect(tail.some((other) => other.changed)).toBe(false);
        expect(steps.map((other) => other.name)).toContain(name);
      }),
    );
  });

  it("never speaks when it is turned off", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), step, (steps, { name, changed }) => {
        expect(stallSign(after(steps), name, changed, 0)).toBeUndefined();
      }),
    );
  });

  it("leaves what it is given as it was", () => {
    const state = Object.freeze({ ...noStall, recent: Object.freeze(["a", "a"]) });

    expect(stallSign(state, "a", false, 3)).toBe("repetition");
    expect(state.recent).toEqual(["a", "a"]);
  });
});
