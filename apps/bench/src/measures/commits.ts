// Commits a step on SQLite, counted: with a read that is over before its completion is stored, and with one that is not. The
// start and the end of a run have commits of their own, so two lengths are run and the difference is counted.

import { join } from "node:path";
import { sqliteStore } from "@harness/store-sqlite";
import type { Measure } from "../measure.js";
import { atMost, type Row } from "../row.js";
import { inScratch } from "../scratch.js";
import { type Pace, runSteps } from "../scripted-work.js";
import { watchTransactions } from "../transactions.js";

interface Case {
  readonly name: string;
  readonly pace: Pace;
  readonly most: number;
}

// Longer than a commit takes: whatever is ready to be stored is, before a slow model or tool answers.
const slowMs = 5;

const cases: readonly Case[] = [
  { name: "instant model, instant read", pace: {}, most: 1 },
  { name: "slow model, instant read", pace: { modelMs: slowMs }, most: 1 },
  { name: "slow model, slow read", pace: { modelMs: slowMs, toolMs: slowMs }, most: 2 },
];

export const commits: Measure = {
  name: "commits",
  run: () =>
    inScratch(async (folder) => {
      const rows: Row[] = [];
      for (const [index, { name, pace, most }] of cases.entries()) {
        const ours = await commitsPerStep(join(folder, `${index}.db`), pace);
        rows.push({ name: `SQLite, ${name}`, unit: "commits/step", ours, target: atMost(most) });
      }
      return rows;
    }),
};

async function commitsPerStep(path: string, pace: Pace): Promise<number> {
  const seen = watchTransactions();
  const store = sqliteStore({ path });
  try {
    await runSteps(20, { store, ...pace });
    const short = seen.commits;
    await runSteps(60, { store, ...pace });
    if (short === 0)
      throw new Error("Transactions were made and none was seen; watchTransactions looks at something else.");
    return (seen.commits - 2 * short) / 40;
  } finally {
    await store.close();
    seen.stop();
  }
}
