import { memoryStore } from "@harness/core";
import { type RunEvent, type RunId, type Store, unseal } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { handLoop, memoryLog } from "./hand-loop.js";
import { readTool, runSteps, scriptedModel } from "./scripted-work.js";

const steps = 3;

/** Leaves out what the hand loop does not have: positions, the clock, a digest that says something, and what named a rule. */
function comparable(events: readonly Partial<RunEvent>[]): readonly object[] {
  return events.map((event) => {
    const { seq: _seq, ...rest } = event;
    return { ...rest, at: 0, ...("digest" in rest ? { digest: "" } : {}) };
  });
}

async function recorded(store: Store, run: RunId): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const stored of store.read(run)) events.push(unseal(stored));
  return events.filter(({ step, type }) => step > 0 && type !== "run.paused");
}

describe("handLoop", () => {
  it("makes the events of every step that core makes, in the same order", async () => {
    const store = memoryStore();
    const { runId } = await runSteps(steps, { store });
    const log = memoryLog();

    await handLoop(scriptedModel(), readTool(), steps, log);

    const byHand = log.events.map((json) => JSON.parse(json));
    expect(comparable(byHand)).toEqual(comparable(await recorded(store, runId)));
  });

  it("commits twice a step", async () => {
    const batches: string[][] = [[]];

    await handLoop(scriptedModel(), readTool(), 2, {
      add: (event) => void batches.at(-1)?.push((event as RunEvent).type),
      commit: () => void batches.push([]),
    });

    const step = [
      ["step.started", "completion.started", "completion.finished"],
      ["tool.started", "tool.finished", "step.finished"],
    ];
    expect(batches).toEqual([...step, ...step, []]);
  });
});
