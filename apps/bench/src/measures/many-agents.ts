// A thousand agents on one file, each with a run of its own, all at once; against the hand loop, one commit after the other.
// Agents come ten per turn of the event loop: making a thousand contracts in one is not what is measured. A longest
// tick is one of its round; what is reported is the median over the rounds.

import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sqliteStore } from "@harness/store-sqlite";
import { type HandDatabase, handDatabase } from "../hand-loop-sqlite.js";
import { median, timeMs } from "../interleave.js";
import type { Measure, Plan } from "../measure.js";
import { atMost, type Row, ratioAtLeast } from "../row.js";
import { inScratch } from "../scratch.js";
import { runSteps, scriptedModel } from "../scripted-work.js";
import { watchTransactions } from "../transactions.js";

const agents = 1_000;
const steps = 10;
const agentsPerTurn = 10;
/** A rate does not depend on how long it is kept up. */
const handSteps = 500;
const usualRounds = 5;
/** What the histogram of the event loop's delays can tell apart, in ms; a delay includes it. */
const resolutionMs = 1;

interface Sample {
  readonly stepsPerSecond: number;
  readonly longestTickMs: number;
  readonly longestBlockMs: number;
}

export const manyAgents: Measure = {
  name: "agents",
  run: (plan) => inScratch((folder) => rowsOf(folder, plan)),
};

async function rowsOf(folder: string, plan: Plan): Promise<readonly Row[]> {
  const hand = handDatabase(join(folder, "hand.db"), "power");
  const rates: number[] = [];
  const samples: Sample[] = [];
  try {
    for (let round = 0; round < plan.rounds(usualRounds); round += 1) {
      rates.push(await handRate(hand));
      samples.push(await oneFile(join(folder, `ours-${round}.db`)));
    }
  } finally {
    hand.close();
  }
  return [
    {
      name: "SQLite, power, 1,000 agents × 10 steps",
      unit: "steps/s",
      ours: median(samples.map(({ stepsPerSecond }) => stepsPerSecond)),
      baseline: { name: "hand loop + SQLite", value: median(rates) },
      target: ratioAtLeast(5),
    },
    {
      name: "1,000 agents, longest tick of the store",
      unit: "ms",
      ours: median(samples.map(({ longestTickMs }) => longestTickMs)),
      target: atMost(10),
    },
    {
      name: "1,000 agents, longest block of the event loop by anything",
      unit: "ms",
      ours: median(samples.map(({ longestBlockMs }) => longestBlockMs)),
    },
  ];
}

async function handRate(hand: HandDatabase): Promise<number> {
  return (handSteps * 1_000) / (await timeMs(() => hand.run(scriptedModel(), handSteps)));
}

async function oneFile(path: string): Promise<Sample> {
  const seen = watchTransactions();
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  const store = sqliteStore({ path });
  try {
    delays.enable();
    const ms = await timeMs(() => runAll(store));
    delays.disable();
    const longestBlockMs = delays.max / 1e6 - resolutionMs;
    return { stepsPerSecond: (agents * steps * 1_000) / ms, longestTickMs: seen.longestMs, longestBlockMs };
  } finally {
    await store.close();
    seen.stop();
  }
}

async function runAll(store: ReturnType<typeof sqliteStore>): Promise<void> {
  const running: Promise<unknown>[] = [];
  for (let nth = 1; nth <= agents; nth += 1) {
    running.push(runSteps(steps, { store }));
    if (nth % agentsPerTurn === 0) await nextTurn();
  }
  await Promise.all(running);
}
