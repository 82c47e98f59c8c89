import { call, type Reply, say } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { only, openStage, rowsIn, storeWith } from "../run/stage.test-support.js";
import { reader } from "../tools/tools.test-support.js";

const stage = openStage();
const tools = [reader()];

describe("an answer", () => {
  it.each<[what: string, reply: Reply]>([
    ["words without a call", say("Done.")],
    ["words that were cut off", { text: "Do", stop: "length" }],
    ["no words at all, which were paid for", { text: null }],
  ])("is %s, and finishes a run that nothing is checked in", async (_what, reply) => {
    const { outcome, events } = await stage.drive([reply], { tools });

    expect(outcome).toEqual({ type: "finished", steps: 1 });
    expect(only(events, "step.finished")).toMatchObject([{ changed: false, ends: { type: "finished" } }]);
    expect(only(events, "run.finished")).toMatchObject([{ steps: 1, ending: { type: "finished" } }]);
  });

  it("is not what a vendor says that hands back control in the middle of its own work", async () => {
    const { outcome, provider } = await stage.drive([{ text: "Searching …", stop: "pause" }, say("Found it.")], {
      tools,
    });

    expect(outcome).toEqual({ type: "finished", steps: 2 });
    expect(provider.requests[1]?.request.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  it("ends nothing while a criterion is not met", async () => {
    const verify = { type: "file-contains", path: "missing", text: "x" } as const;
    const { outcome, provider } = await stage.drive([say("Done."), call("look"), say("Really.")], {
      tools,
      contract: { verify, limits: { maxSteps: 3 } },
    });

    expect(outcome).toEqual({ type: "budget", limit: "steps", steps: 3 });
    expect(provider.requests[1]?.request.messages.at(-1)).toMatchObject({
      role: "user",
      text: expect.stringContaining("missing does not contain"),
    });
  });
});

describe("the end of a step", () => {
  it("says what it concluded for the run, so that a crash behind it changes nothing", async () => {
    const { store, events, outcome } = await stage.drive([say("Done.")], { tools });
    const [finished] = only(events, "step.finished");

    const again = await stage.goOn(await storeWith(await rowsIn(store), finished?.seq), []);

    expect(again.outcome).toEqual(outcome);
    expect(again.provider.asked).toBe(0);
  });

  it("is not undone by a resume that brings larger limits to a run that had finished", async () => {
    const { store, events } = await stage.drive([say("Done.")], { tools });
    const [finished] = only(events, "step.finished");

    const again = await stage.goOn(await storeWith(await rowsIn(store), finished?.seq), [], {
      limits: { maxSteps: 99 },
    });

    expect(again.outcome).toEqual({ type: "finished", steps: 1 });
  });
});
