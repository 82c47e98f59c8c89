import { basename } from "node:path";
import { type RunEvent, runId, type Store, type TaskContract } from "@harness/spec";
import { call, calls, fail, say, stream } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../store/memory-store.js";
import { reader, slowStore, turn, writer } from "../tools/tools.test-support.js";
import { only, openStage, theRun, typesOf } from "./stage.test-support.js";

const stage = openStage();

const change = (path: string, before: string | null, after: string | null, kind = "changed") => ({
  path,
  kind,
  added: 1,
  removed: 1,
  before,
  after,
});

describe("a result", () => {
  it("says why the run stopped, what the model wrote last, and what it cost", async () => {
    const { result } = await stage.drive([say("Let me look.", call("look")), say("All is well.")], {
      tools: [reader()],
    });

    expect(result).toEqual({
      runId: theRun,
      outcome: { type: "finished", steps: 2 },
      cost: null,
      text: "All is well.",
      usage: {
        promptTokens: 20,
        completionTokens: 10,
        totalTokens: 30,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
        estimatedCompletions: 0,
      },
      changes: [],
      refusals: 0,
      remembered: [],
    });
  });

  it("keeps the last words of a model that then only called tools", async () => {
    const { result } = await stage.drive([say("First words.", call("look")), call("look", { path: "b" })], {
      tools: [reader()],
      contract: { limits: { maxSteps: 2 } },
    });

    expect(result.text).toBe("First words.");
  });

  it("has no text when the model wrote none", async () => {
    const { result } = await stage.drive([call("look")], { tools: [reader()], contract: { limits: { maxSteps: 1 } } });

    expect(result.text).toBeNull();
  });

  it("names each changed path once, from what it was to what it is", async () => {
    const steps = [
      [change("a", "a1", "a2"), change("new", null, "n1", "created")],
      [change("a", "a2", "a3"), change("new", "n1", "n2")],
      [change("back", "b1", "b2"), change("gone", "g1", "g2"), change("fleeting", null, "f1", "created")],
      [change("back", "b2", "b1"), change("gone", "g2", null, "deleted"), change("fleeting", "f1", null, "deleted")],
    ];
    const tool = writer("change", async ({ nth }) => ({ changes: steps[Number(nth)] as never }));

    const { result } = await stage.drive([...steps.map((_, nth) => call("change", { nth })), say("Done.")], {
      tools: [tool],
    });

    expect(result.changes).toEqual([
      { path: "a", kind: "changed", added: 2, removed: 2, before: "a1", after: "a3" },
      { path: "new", kind: "created", added: 2, removed: 2, before: null, after: "n2" },
      { path: "gone", kind: "deleted", added: 2, removed: 2, before: "g1", after: null },
    ]);
  });

  it("counts refusals", async () => {
    const { result } = await stage.drive(
      [calls(call("change", { path: "x" }), call("change", { path: "y" })), say("")],
      {
        tools: [writer()],
        policy: { layers: [], defaults: { read: "allow", write: "deny", exec: "deny", net: "deny" } },
      },
    );

    expect(result.refusals).toBe(2);
  });
});

describe("the log", () => {
  it("tells a run from its start to its end, numbered without a gap", async () => {
    const { events } = await stage.drive([call("look"), call("change"), say("Done.")], {
      tools: [reader(), writer()],
    });

    expect(typesOf(events)).toEqual([
      "run.started",
      ...[
        "step.started",
        "completion.started",
        "completion.finished",
        "tool.started",
        "tool.finished",
        "step.finished",
      ],
      ...[
        "step.started",
        "completion.started",
        "completion.finished",
        "tool.started",
        "tool.finished",
        "step.finished",
      ],
      ...["step.started", "completion.started", "completion.finished", "step.finished"],
      "run.finished",
    ]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ step }) => step)).toEqual([0, ...Array(6).fill(1), ...Array(6).fill(2), ...Array(5).fill(3)]);
  });

  it("never dates an event before its cause, though the clock is set back", async () => {
    let now = 5_000;
    const clock = { now: () => (now -= 100), sleep: async () => {}, alarm: () => () => {} };

    const { events } = await stage.drive([call("look"), say("Done.")], { tools: [reader()], clock });

    const times = events.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(0);
  });

  it("holds the contract with its defaults, the policy, the tools and the labels", async () => {
    const { events, store } = await stage.drive([say("Done.")], {
      tools: [reader(), writer("send", undefined, { recovery: "indeterminate" })],
      labels: { ticket: "T-1" },
      contract: { constraints: ["be brief"], limits: { maxSteps: 3 } },
    });

    expect(events[0]).toMatchObject({
      type: "run.started",
      run: theRun,
      workspace: stage.root,
      provider: "scripted",
      policy: { layers: [], defaults: { write: "allow" } },
      limits: { maxSteps: 3, maxRetries: 2, stallWindow: 3 },
      tools: [
        { name: "look", effect: "read", recovery: "replayable" },
        { name: "send", effect: "write", recovery: "indeterminate" },
      ],
      backend: null,
      labels: { ticket: "T-1" },
      content: { contract: { goal: "do it", constraints: ["be brief"], verify: { type: "none" } } },
    });
    expect(await store.runs()).toMatchObject([{ id: theRun, state: "ended", lease: null }]);
  });

  it("sends the model what it stores of the system prompt, and the goal in the first message", async () => {
    const { events, provider } = await stage.drive([call("look"), say("Done.")], { tools: [reader()] });

    const [started] = only(events, "run.started");
    expect(provider.requests.map(({ request }) => request.system)).toEqual(Array(2).fill(started?.content.system));
    expect(provider.requests[0]?.request.messages).toEqual([{ role: "user", text: expect.stringContaining("do it") }]);
  });
});

describe("live updates", () => {
  it("come before the event that settles them, and are void when the attempt fails", async () => {
    const log: string[] = [];
    const attempts = [fail("server", { after: ["Half "] }), stream("Who", "le.")] as const;
    await stage.drive([call("look"), attempts], {
      tools: [reader("look", async (_input, context) => void context.progress("halfway"))],
      contract: { limits: { retryBaseMs: 0 } },
      onLive: (update) => log.push(`${update.step} ${update.type} ${"text" in update ? update.text : ""}`.trim()),
      observers: [{ onEvent: (_run, { type }) => log.push(type) }],
    });

    const at = (line: string) => log.lastIndexOf(line);
    expect(log.filter((line) => line.startsWith("2 "))).toEqual(["2 text Half", "2 reset", "2 text Who", "2 text le."]);
    expect(at("1 tool-progress halfway")).toBeLessThan(at("tool.finished"));
    expect(at("2 reset")).toBeLessThan(at("completion.failed"));
    expect(at("2 text le.")).toBeLessThan(at("completion.finished"));
  });
});

describe("many runs on one store", () => {
  it("do not meet", async () => {
    const store = memoryStore();
    const runs = Array.from({ length: 50 }, (_, nth) => {
      const ids = { run: () => runId(`run-${nth}`), owner: () => `owner-${nth}` };
      const tool = reader("look", async ({ path }) => ({ text: `${path} of ${nth}` }));
      return stage.drive([call("look", { path: `${nth}` }), say(`Done: ${nth}.`)], { tools: [tool], store, ids });
    });

    for (const [nth, { result, events }] of (await Promise.all(runs)).entries()) {
      expect(result).toMatchObject({ runId: `run-${nth}`, text: `Done: ${nth}.`, outcome: { type: "finished" } });
      expect(only(events, "tool.finished").map(({ content }) => content?.text)).toEqual([`${nth} of ${nth}`]);
    }
  });
});

describe("tools that are made for a contract", () => {
  it("are made once for each driver, with the contract as the log has it", async () => {
    const workspaces: string[] = [];
    const tools = (contract: TaskContract) => {
      workspaces.push(contract.workspace);
      return [reader()];
    };
    const contract = { workspace: `${stage.root}/../${basename(stage.root)}`, limits: { maxSteps: 1 } };
    const { store } = await stage.drive([call("look")], { tools, contract });
    await stage.goOn(store, [call("look"), say("Done.")], { tools, limits: { maxSteps: 2 } });

    expect(workspaces).toEqual([stage.root, stage.root]);
  });
});

describe("observers", () => {
  it("are told every event, in order, and change nothing when they throw at once or later", async () => {
    const seen: RunEvent[] = [];
    const { outcome, events } = await stage.drive([call("look"), say("Done.")], {
      tools: [reader("look", async (_input, context) => void context.progress("on it"))],
      observers: [
        {
          onEvent() {
            throw new Error("thrown at once");
          },
        },
        { onEvent: async () => Promise.reject(new Error("thrown later")) },
        { onEvent: (_run, event) => seen.push(event) },
      ],
      onLive: async () => Promise.reject(new Error("thrown later, too")),
    });

    expect(outcome).toEqual({ type: "finished", steps: 2 });
    expect(seen).toEqual(events);
  });

  it("cannot steer: what they do to the events they are told of changes nothing", async () => {
    const seen: unknown[] = [];
    const tool = writer("change", async ({ path }) => void seen.push(path));
    const meddler = {
      onEvent(_run: string, event: RunEvent) {
        if (event.type !== "completion.finished") return;
        for (const { arguments: input } of event.content.calls) Object.assign(input ?? {}, { path: "elsewhere" });
      },
    };
    const script = [call("change", { path: "here" }), say("Done.")];

    const { provider } = await stage.drive(script, {
      tools: [tool],
      store: slowStore(memoryStore()),
      observers: [meddler],
    });

    expect(seen).toEqual(["here"]);
    expect(provider.requests[1]?.request.messages[1]).toMatchObject({ calls: [{ arguments: { path: "here" } }] });
  });

  it("hear of nothing that is not durable", async () => {
    const inner = memoryStore();
    let durable = 0;
    const store: Store = {
      ...inner,
      async append(lease, run, events) {
        await turn();
        await inner.append(lease, run, events);
        durable = events.at(-1)?.seq ?? durable;
      },
    };
    const early: RunEvent[] = [];
    const observer = { onEvent: (_run: string, event: RunEvent) => void (event.seq > durable && early.push(event)) };

    const { outcome } = await stage.drive([call("look"), call("change"), say("Done.")], {
      tools: [reader(), writer()],
      store,
      observers: [observer],
    });

    expect(outcome.type).toBe("finished");
    expect(early).toEqual([]);
  });
});
