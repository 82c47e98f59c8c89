// Commits a step on SQLite, counted: with a read that is over before its completion is stored, and with one that is not. The
// start and the end of a run have commits of their own, so two lengths are run and the difference is counted. A lease that is
// renewed at every step costs none: the renewal rides on the step's.

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
  /** Default: so long that it is never renewed. */
  readonly leaseTtlMs?: number;
}

// Longer than a commit takes: whatever is ready to be stored is, before a slow model or tool answers.
const slowMs = 5;

/** A quarter of it, after which an append renews, is about what a step takes; a heartbeat comes only when none has. */
const renewingTtlMs = 60;

const cases: readonly Case[] = [
  { name: "instant model, instant read", pace: {}, most: 1 },
  { name: "slow model, instant read", pace: { modelMs: slowMs }, most: 1 },
  { name: "slow model, slow read", pace: { modelMs: slowMs, toolMs: slowMs }, most: 2 },
  { name: "slow model, lease renewed all the time", pace: { modelMs: slowMs }, most: 1, leaseTtlMs: renewingTtlMs },
];

export const commits: Measure = {
  name: "commits",
  run: () =>
    inScratch(async (folder) => {
      const rows: Row[] = [];
      for (const [index, { name, most, ...work }] of cases.entries()) {
        const ours = await commitsPerStep(join(folder, `${index}.db`), work);
        rows.push({ name: `SQLite, ${name}`, unit: "commits/step", ours, target: atMost(most) });
      }
      return rows;
    }),
};

async function commitsPerStep(path: string, { pace, leaseTtlMs }: Omit<Case, "name" | "most">): Promise<number> {
  const seen = watchTransactions();
  const store = sqliteStore({ path });
  try {
    const work = { store, ...pace, ...(leaseTtlMs === undefined ? {} : { leaseTtlMs }) };
    await runSteps(20, work);
    const short = seen.commits;
    await runSteps(60, work);
    if (short === 0)
      throw new Error("Transactions were made and none was seen; watchTransactions looks at something else.");
    return (seen.commits - 2 * short) / 40;
  } finally {
    await store.close();
    seen.stop();
  }
}
