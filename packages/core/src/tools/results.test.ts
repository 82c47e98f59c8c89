import { Policy } from "@harness/policy";
import { ActRefusedError, type AnyTool, type JsonSchema, SandboxError, ToolError } from "@harness/spec";
import { call, fakeClock, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { eventsIn, only, openStage, statuses } from "../run/stage.test-support.js";
import { aborted, reader, writer } from "./tools.test-support.js";

const stage = openStage();

/** Makes one call, and gives what the model read of it beside what the log has. */
async function make(tool: AnyTool, input = {}, overrides = {}) {
  const driven = await stage.drive([call(tool.name, input), say("Done.")], { tools: [tool], ...overrides });
  const [finished] = only(driven.events, "tool.finished");
  const message = driven.provider.requests[1]?.request.messages.at(-1);
  const shown = message?.role === "results" ? message.results[0] : undefined;
  return { ...driven, finished, shown };
}

const throwing = (error: unknown) => async () => {
  throw error;
};

describe("a tool that fails", () => {
  it.each([
    [
      "on purpose, with its own words",
      new ToolError("There is no such file. Use find."),
      "There is no such file. Use find.",
    ],
    ["because no command can run", new SandboxError("unavailable", "There is no cargo."), "There is no cargo."],
    ["by a defect", new TypeError("x is undefined"), "The tool failed: x is undefined"],
    ["with something that is no error", "oops", "The tool failed: oops"],
    ["with nothing", undefined, "The tool failed: undefined"],
  ])("%s has answered the model, and the run goes on", async (_how, error, text) => {
    const { outcome, finished, shown } = await make(reader("look", throwing(error)));

    expect(outcome).toEqual({ type: "finished", steps: 2 });
    expect(finished).toMatchObject({ status: "error", changed: false, content: { text } });
    expect(shown).toEqual({ call: "1.1", content: text, isError: true });
  });

  it("at once, before it returns a promise, has answered too", async () => {
    const invoke = () => {
      throw new Error("at once");
    };

    expect((await make(reader("look", undefined, { invoke }))).finished).toMatchObject({ status: "error" });
  });

  it("in saying what it would do has answered, and is not begun", async () => {
    let made = 0;
    const acts = throwing(new ToolError("That is a folder."));

    const { finished } = await make(writer("change", async () => void made++, { acts }));

    expect(finished).toMatchObject({ status: "error", content: { text: "That is a folder." } });
    expect(made).toBe(0);
  });

  it.each([
    ["in saying what it would do", { acts: throwing(new ActRefusedError("write", "/etc", "leaves the workspace")) }],
    ["in doing it", { invoke: throwing(new ActRefusedError("write", "/etc", "leaves the workspace")) }],
  ])("by refusing %s is refused in the trace, and the model is told why", async (_when, more) => {
    const { events, finished, result } = await make(writer("change", undefined, more));

    expect(only(events, "act.refused")).toMatchObject([
      {
        call: "1.1",
        act: "write",
        target: "/etc",
        rule: null,
        layer: null,
        reason: "tool",
        content: { detail: "leaves the workspace" },
      },
    ]);
    expect(finished).toMatchObject({
      status: "refused",
      content: { text: expect.stringContaining("leaves the workspace") },
    });
    expect(result.refusals).toBe(1);
  });

  it.each<[what: string, acts: unknown]>([
    ["a path with NUL", [{ type: "write", target: "a\u0000b" }]],
    ["a path that climbs out", [{ type: "write", target: "../b" }]],
    ["an empty command", [{ type: "exec", target: "x", argv: [] }]],
    ["an act that nobody knows", [{ type: "delete", target: "a" }]],
    ["an act that is none", [null]],
    ["no list", "everything"],
  ])("by naming %s as what it would do does nothing, and the run goes on", async (_what, acts) => {
    let made = 0;
    const tool = writer("change", async () => void made++, { acts: async () => acts as never });

    const { outcome, finished } = await make(tool);

    expect(outcome.type).toBe("finished");
    expect(["refused", "error"]).toContain(finished?.status);
    expect(made).toBe(0);
  });

  it.each<[what: string, more: Partial<AnyTool>]>([
    [
      "checking arguments",
      {
        input: schema(() => {
          throw new Error("no");
        }),
        parameters: {},
      },
    ],
    ["checking arguments, later", { input: schema(throwing(new Error("no"))), parameters: {} }],
  ])("in %s has answered, and the run goes on", async (_what, more) => {
    const { outcome, finished } = await make(writer("change", undefined, more));

    expect(outcome.type).toBe("finished");
    expect(["invalid", "error"]).toContain(finished?.status);
  });

  it("in saying whether it may be made again is made, and never made again without asking", async () => {
    const recovery = () => {
      throw new Error("no");
    };
    const { events, finished } = await make(writer("change", undefined, { recovery }));

    expect(finished?.status).toBe("ok");
    expect(only(events, "completion.finished")[0]?.calls).toMatchObject([{ recovery: "indeterminate" }]);
  });

  it("by answering nothing at all has answered with nothing", async () => {
    const { outcome, finished } = await make(reader("look", undefined, { invoke: async () => undefined as never }));

    expect(outcome.type).toBe("finished");
    expect(finished).toMatchObject({ status: "ok", content: { text: "" }, changes: [] });
  });

  it("and says so itself is an error that may have changed something", async () => {
    const { finished, shown } = await make(writer("change", async () => ({ text: "exited 1", isError: true })));

    expect(finished).toMatchObject({ status: "error", changed: true });
    expect(shown).toMatchObject({ isError: true, content: "exited 1" });
  });
});

describe("a call that takes too long", () => {
  it("is aborted at its deadline, and the run goes on", async () => {
    const clock = fakeClock();
    const tool = reader("look", async (_input, { signal }) => {
      await aborted(signal);
      throw signal.reason;
    });
    const { handle, store } = stage.begin([call("look"), say("Done.")], {
      tools: [tool],
      clock,
      contract: { limits: { toolTimeoutMs: 7_000 } },
    });
    await clock.untilWaiting(2);
    await clock.advance(7_000);

    expect((await handle.result).outcome).toEqual({ type: "finished", steps: 2 });
    expect(statuses(await eventsIn(store))).toEqual(["1.1: timed-out"]);
  });

  it("is left to itself when it does not listen, and the model is told so", async () => {
    const clock = fakeClock();
    const { handle, store } = stage.begin([call("look"), say("Done.")], {
      tools: [reader("look", () => new Promise<undefined>(() => {}))],
      clock,
      contract: { limits: { toolTimeoutMs: 7_000 } },
    });
    await clock.untilWaiting(2);
    await clock.advance(7_000);
    await clock.advance(5_000);

    expect((await handle.result).outcome).toEqual({ type: "finished", steps: 2 });
    expect(only(await eventsIn(store), "tool.finished")).toMatchObject([
      { status: "timed-out", content: { text: expect.stringContaining("may still be doing something") } },
    ]);
  });

  it("does not hurry those beside it", async () => {
    const clock = fakeClock();
    const tool = reader("look", async ({ path }, { signal }) => {
      await clock.sleep(path === "slow" ? 9_000 : 6_000, { signal }).catch(() => {});
      return { text: `${path} ${signal.aborted}` };
    });
    const both = {
      calls: [
        { name: "look", arguments: { path: "slow" } },
        { name: "look", arguments: { path: "quick" } },
      ],
    };
    const { handle, store } = stage.begin([both, say("")], {
      tools: [tool],
      clock,
      contract: { limits: { toolTimeoutMs: 7_000 } },
    });
    await clock.untilWaiting(4);
    await clock.advance(9_000);
    await handle.result;

    expect(statuses(await eventsIn(store))).toEqual(["1.1: timed-out", "1.2: ok"]);
  });
});

describe("arguments", () => {
  const parameters: JsonSchema = {
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "integer", minimum: 1 } },
    required: ["path"],
    additionalProperties: false,
  };

  it.each([
    ["what is missing", {}, "path"],
    ["what is of another type", { path: 1 }, "path"],
    ["what is out of range", { path: "a", limit: 0 }, "limit"],
    ["what is not known", { path: "a", pth: "b" }, "pth"],
  ])("of a tool with a JSON Schema are checked against it: %s", async (_what, input, place) => {
    let made = 0;
    const tool = reader("look", async () => void made++, { input: parameters });

    const { finished, provider } = await make(tool, input);

    expect(finished).toMatchObject({ status: "invalid", content: { text: expect.stringContaining(place) } });
    expect(made).toBe(0);
    expect(provider.requests[0]?.request.tools).toEqual([{ name: "look", description: "Reads.", parameters }]);
  });

  it("reach the tool as its schema makes them, defaults and all", async () => {
    const seen: unknown[] = [];
    const { finished } = await make(
      reader("look", async (input) => void seen.push(input)),
      { more: 1 },
    );

    expect(seen).toEqual([{ path: "file", more: 1 }]);
    expect(finished?.status).toBe("ok");
  });
});

describe("a long result", () => {
  it("is shortened for the model, head and tail, and is whole in the log", async () => {
    const text = `${"a".repeat(150)}${"😀".repeat(500)}${"z".repeat(150)}`;
    const tool = reader("look", async () => ({ text }));

    const { finished, shown } = await make(tool, {}, { contract: { limits: { maxObservationChars: 400 } } });

    expect(finished?.content?.text).toBe(text);
    expect(shown?.content).toMatch(/^a{150}😀{50}\n.*400 of 800.*\n😀{50}z{150}$/u);
  });

  it("that just fits is shown as it is", async () => {
    const text = "😀".repeat(200);

    const { shown } = await make(
      reader("look", async () => ({ text })),
      {},
      { contract: { limits: { maxObservationChars: 200 } } },
    );

    expect(shown?.content).toBe(text);
  });
});

describe("a tool that does not say what it would do", () => {
  const { acts: _, ...silent } = writer("deploy");

  it("is governed by its name, as a command", async () => {
    const denied = await make(silent, {}, { policy: Policy.permissive().layer("house").denyExec("deploy") });
    const allowed = await make(silent, {}, { policy: new Policy().allowExec("deploy") });

    expect(only(denied.events, "act.refused")).toMatchObject([
      { act: "exec", target: "deploy", rule: "deploy", layer: "house" },
    ]);
    expect(denied.finished?.status).toBe("refused");
    expect(allowed.finished?.status).toBe("ok");
    expect(only(allowed.events, "tool.started")).toMatchObject([
      { acts: [{ act: { type: "exec", target: "deploy" } }] },
    ]);
  });

  it("and one that says that it does nothing needs nobody's leave", async () => {
    const { finished } = await make(writer("todo", undefined, { acts: async () => [] }), {}, { policy: new Policy() });

    expect(finished?.status).toBe("ok");
  });
});

/** A schema that does as it is told. */
function schema(validate: (value: unknown) => unknown): AnyTool["input"] {
  return { "~standard": { version: 1, vendor: "test", validate } } as never;
}
