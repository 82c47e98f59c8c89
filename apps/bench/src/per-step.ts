// The price of a step. A run is timed from the first question to its model until it is over, so that what a start costs does
// not look like a part of every step; the start is a figure of its own.
import { handLoop, memoryLog } from "./hand-loop.js";
import { readTool, runSteps, type ScriptedModel, scriptedModel } from "./scripted-work.js";

/** Drives `model` for `steps` steps. */
export type Loop = (model: ScriptedModel, steps: number) => Promise<unknown>;

/** The hand loop in memory. */
export const byHand: Loop = (model, steps) => handLoop(model, readTool(), steps, memoryLog());

/** A run of ours in memory. */
export const inMemory: Loop = (model, steps) => runSteps(steps, { model });

/** Microseconds of a step of `loop`, over `runs` runs of `steps` steps. */
export async function microsPerStep(loop: Loop, steps: number, runs = 1): Promise<number> {
  let ms = 0;
  for (let nth = 0; nth < runs; nth += 1) {
    const model = scriptedModel();
    await loop(model, steps);
    ms += performance.now() - model.firstAskedAtMs();
  }
  return (ms * 1_000) / (steps * runs);
}

/** Milliseconds from a run's start until its model is asked first, as a mean of `runs`. */
export async function msToStart(loop: Loop, runs: number): Promise<number> {
  let ms = 0;
  for (let nth = 0; nth < runs; nth += 1) {
    const model = scriptedModel();
    const startedAtMs = performance.now();
    await loop(model, 1);
    ms += model.firstAskedAtMs() - startedAtMs;
  }
  return ms / runs;
}
