// A step on SQLite, at three lengths of a run, with both kinds of durability.

import { join } from "node:path";
import { sqliteStore } from "@harness/store-sqlite";
import { type Durability, handDatabase } from "../hand-loop-sqlite.js";
import { interleave } from "../interleave.js";
import type { Measure, Plan } from "../measure.js";
import { microsPerStep } from "../per-step.js";
import { type Row, ratioAtMost } from "../row.js";
import { inScratch } from "../scratch.js";
import { runSteps } from "../scripted-work.js";

interface Length {
  readonly steps: number;
  readonly rounds: number;
}

/** A commit that survives a power cut takes long, and so does a long run of them; it needs few rounds, being its own average. */
const lengths: Readonly<Record<Durability, readonly Length[]>> = {
  power: [
    { steps: 20, rounds: 15 },
    { steps: 200, rounds: 9 },
    { steps: 10_000, rounds: 1 },
  ],
  process: [
    { steps: 20, rounds: 30 },
    { steps: 200, rounds: 15 },
    { steps: 10_000, rounds: 3 },
  ],
};

const mostTimes: Readonly<Record<Durability, number>> = { power: 1, process: 1.6 };

/** Longer runs come last, so they need no round to warm up; a quick look leaves them out. */
const usualSteps = 1_000;

export function onSqlite(durability: Durability): Measure {
  return {
    name: durability,
    run: (plan) => inScratch((folder) => rowsOf(folder, durability, plan)),
  };
}

async function rowsOf(folder: string, durability: Durability, plan: Plan): Promise<readonly Row[]> {
  const hand = handDatabase(join(folder, "hand.db"), durability);
  const store = sqliteStore({ path: join(folder, "ours.db"), durability });
  try {
    const rows: Row[] = [];
    for (const { steps, rounds } of lengths[durability]) {
      if (plan.isQuick && steps > usualSteps) continue;
      const samplers = {
        hand: () => microsPerStep(hand.run, steps),
        ours: () => microsPerStep((model) => runSteps(steps, { store, model }), steps),
      };
      const medians = await interleave(samplers, plan.rounds(rounds), { warmUp: steps <= usualSteps });
      rows.push({
        name: `SQLite, ${durability}, ${steps.toLocaleString("en-US")} steps`,
        unit: "µs/step",
        ours: medians.ours,
        baseline: { name: "hand loop + SQLite", value: medians.hand },
        target: ratioAtMost(mostTimes[durability]),
      });
    }
    return rows;
  } finally {
    hand.close();
    await store.close();
  }
}
