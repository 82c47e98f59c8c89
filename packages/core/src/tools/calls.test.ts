import { Policy } from "@harness/policy";
import { call, calls, type Reply, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { eventsIn, only, openStage, statuses, typesOf } from "../run/stage.test-support.js";
import { memoryStore } from "../store/memory-store.js";
import { deferred, heldStore, reader, slowStore, turn, writer } from "./tools.test-support.js";

const stage = openStage();
const looks = (count: number) => calls(...Array.from({ length: count }, (_, nth) => call("look", { nth })));

describe("reads that stand side by side", () => {
  it.each([
    ["ten", 25, undefined, 10],
    ["as many as the contract says", 7, 3, 3],
    ["one", 4, 1, 1],
  ])("are in flight together, at most %s", async (_most, count, maxParallelReads, expected) => {
    let inFlight = 0;
    let most = 0;
    const tool = reader("look", async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await turn();
      inFlight -= 1;
    });
    const contract = maxParallelReads === undefined ? {} : { limits: { maxParallelReads } };

    const { events } = await stage.drive([looks(count), say("Done.")], { tools: [tool], contract });

    expect(most).toBe(expected);
    expect(only(events, "tool.finished")).toHaveLength(count);
  });

  it("are recorded as they come, and read in call order", async () => {
    const gates = [deferred(), deferred(), deferred()];
    const tool = reader("look", async ({ nth }) => {
      await gates[Number(nth)]?.promise;
      return { text: `answer ${nth}` };
    });
    const { handle, provider, store } = stage.begin([looks(3), say("Done.")], { tools: [tool] });
    for (const nth of [2, 0, 1]) {
      await turn();
      gates[nth]?.resolve();
    }
    await handle.result;

    expect(only(await eventsIn(store), "tool.finished").map((event) => event.call)).toEqual(["1.3", "1.1", "1.2"]);
    expect(provider.requests[1]?.request.messages.at(-1)).toEqual({
      role: "results",
      results: [0, 1, 2].map((nth) => ({ call: `1.${nth + 1}`, content: `answer ${nth}` })),
    });
  });

  it("begin before the completion that asks for them is durable", async () => {
    const held = heldStore(memoryStore());
    const begun = deferred();
    const answered = deferred();
    const tool = reader("look", async () => {
      begun.resolve();
      await answered.promise;
    });
    const holding: Reply = () => {
      held.hold();
      return call("look");
    };
    const script = [holding, say("Done.")];
    const { handle, store } = stage.begin(script, { tools: [tool], store: held.store });
    await begun.promise;

    expect(typesOf(await eventsIn(store))).not.toContain("completion.finished");
    held.release();
    answered.resolve();
    expect((await handle.result).outcome.type).toBe("finished");
  });

  it("end where one of them must be asked about: it waits, and those behind it are not looked at", async () => {
    const looked: unknown[] = [];
    const planned: unknown[] = [];
    const tool = reader("look", async ({ path }) => void looked.push(path), {
      async acts({ path }) {
        planned.push(path);
        return [{ type: "read", target: path }];
      },
    });
    const script = [calls(call("look", { path: "a" }), call("look", { path: "secret" }), call("look", { path: "c" }))];

    const { outcome, events } = await stage.drive(script, {
      tools: [tool],
      policy: Policy.permissive().layer("house").askRead("secret"),
    });

    expect(outcome).toMatchObject({ type: "awaiting-approval", requestId: "the-run/1.2" });
    expect(statuses(events)).toEqual(["1.1: ok"]);
    expect([looked, planned]).toEqual([["a"], ["a", "secret"]]);
  });

  it("do not pass a write that stands between them", async () => {
    const order: unknown[] = [];
    const note =
      (name: string) =>
      async ({ path }: { path?: unknown }) => {
        order.push(`${name} ${path}`);
        await turn();
        order.push(`${name} ${path} done`);
        return {};
      };
    const script = [
      calls(call("look", { path: "a" }), call("change", { path: "a" }), call("look", { path: "a" })),
      say(""),
    ];

    await stage.drive(script, { tools: [reader("look", note("look")), writer("change", note("change"))] });

    expect(order).toEqual(["look a", "look a done", "change a", "change a done", "look a", "look a done"]);
  });
});

describe("writes", () => {
  it("are made one at a time, in call order", async () => {
    const order: unknown[] = [];
    const tool = writer("change", async ({ path }) => {
      order.push(path);
      await turn();
      order.push(`${path} done`);
    });
    const script = [calls(...["a", "b", "c"].map((path) => call("change", { path }))), say("Done.")];

    await stage.drive(script, { tools: [tool] });

    expect(order).toEqual(["a", "a done", "b", "b done", "c", "c done"]);
  });

  it.each([
    ["replayable", "completion.finished"],
    ["indeterminate", "tool.started"],
  ] as const)("that are %s begin once %s is durable", async (recovery, event) => {
    const inner = memoryStore();
    const found: string[] = [];
    const tool = writer("change", async () => void found.push(...typesOf(await eventsIn(inner))), { recovery });
    await stage.drive([call("change"), say("Done.")], { tools: [tool], store: slowStore(inner) });

    expect(found).toContain(event);
  });

  it("that decide by their arguments whether they may be made again have that written on the call", async () => {
    const recovery = (input: { path: string }) => (input.path === "safe" ? "replayable" : "indeterminate");
    const tool = writer("change", undefined, { recovery });
    const script = [calls(call("change", { path: "safe" }), call("change", { path: "other" })), say("Done.")];

    const { events } = await stage.drive(script, { tools: [tool] });

    expect(only(events, "completion.finished")[0]?.calls.map((made) => made.recovery)).toEqual([
      "replayable",
      "indeterminate",
    ]);
    expect(only(events, "run.started")[0]?.tools).toEqual([{ name: "change", effect: "write" }]);
  });

  it("of a tool that says nothing of it are indeterminate, and reads replayable", async () => {
    const { recovery: _, ...silent } = writer("change");
    const { events } = await stage.drive([calls(call("change"), call("look")), say("Done.")], {
      tools: [silent, reader()],
    });

    expect(only(events, "completion.finished")[0]?.calls.map((made) => made.recovery)).toEqual([
      "indeterminate",
      "replayable",
    ]);
  });
});

describe("what a step costs", () => {
  it.each([
    ["one commit when the read is over before its completion is durable", 0, 1],
    ["two commits when it takes longer", 4, 2],
  ])("is %s", async (_what, readTurns, commits) => {
    const steps = 50;
    const held = heldStore(memoryStore());
    const tool = reader("look", async () => {
      for (let nth = 0; nth < readTurns; nth += 1) await turn();
    });
    const script = Array.from({ length: steps }, (_, nth) => call("look", { nth }));

    await stage.drive(script, {
      tools: [tool],
      store: slowStore(held.store),
      contract: { limits: { maxSteps: steps } },
    });

    // The first and the last commit belong to the run, not to a step.
    expect(held.appends).toBeLessThanOrEqual(commits * steps + 2);
  });
});
