// A step in memory, at three lengths of a run, and what a run costs before its first step.
import { interleave } from "../interleave.js";
import type { Measure, Plan } from "../measure.js";
import { byHand, type Loop, microsPerStep, msToStart, inMemory as ours } from "../per-step.js";
import { type Row, ratioAtMost } from "../row.js";

const usualRounds = 15;
/** Steps that one sample makes at least, in as many runs as that takes. */
const stepsPerSample = 2_000;
const startsPerSample = 20;

export const inMemory: Measure = {
  name: "memory",
  async run(plan: Plan): Promise<readonly Row[]> {
    const medians = await interleave(
      {
        hand20: () => sample(byHand, 20),
        ours20: () => sample(ours, 20),
        hand200: () => sample(byHand, 200),
        ours200: () => sample(ours, 200),
        hand10k: () => sample(byHand, 10_000),
        ours10k: () => sample(ours, 10_000),
        start: () => msToStart(ours, startsPerSample),
      },
      plan.rounds(usualRounds),
    );
    const { hand20, ours20, hand200, ours200, hand10k, ours10k, start } = medians;
    return [
      againstHand("memory, 20 steps", ours20, hand20),
      againstHand("memory, 200 steps", ours200, hand200),
      againstHand("memory, 10,000 steps", ours10k, hand10k),
      growth("memory, a step at 200 over one at 20", ours200, { name: "at 20", value: ours20 }, 1.3),
      growth("memory, a step at 10,000 over one at 200", ours10k, { name: "at 200", value: ours200 }, 1.2),
      { name: "memory, start of a run", unit: "ms", ours: start },
    ];
  },
};

function sample(loop: Loop, steps: number): Promise<number> {
  return microsPerStep(loop, steps, Math.max(1, stepsPerSample / steps));
}

function againstHand(name: string, figure: number, hand: number): Row {
  return { name, unit: "µs/step", ours: figure, baseline: { name: "hand loop", value: hand }, target: ratioAtMost(4) };
}

function growth(name: string, figure: number, baseline: NonNullable<Row["baseline"]>, limit: number): Row {
  return { name, unit: "µs/step", ours: figure, baseline, target: ratioAtMost(limit) };
}
