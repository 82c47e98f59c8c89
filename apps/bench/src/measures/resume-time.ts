// Opening a run again, by the length of its log. The run has used up its steps, so a resume reads and folds the whole log,
// records that it resumed and that it paused again, and stops. Both sides work on files that are open already; the store is
// set to `process`, because a sync of the two new events is not what grows with the log.

import { join } from "node:path";
import { sqliteStore } from "@harness/store-sqlite";
import Database from "better-sqlite3";
import { interleave, timeMs } from "../interleave.js";
import type { Measure, Plan } from "../measure.js";
import { type Row, ratioAtMost } from "../row.js";
import { inScratch } from "../scratch.js";
import { resumeSteps, runSteps } from "../scripted-work.js";

/** A step makes six events, and a run one before its first and one behind its last. */
const eventsPerStep = 6;
const lengths = [100, 1_000, 10_000] as const;
const usualRounds = 15;

export const resumeTime: Measure = {
  name: "resume",
  async run(plan: Plan): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const events of lengths) rows.push(await inScratch((folder) => rowOf(join(folder, "runs.db"), events, plan)));
    return rows;
  },
};

async function rowOf(path: string, events: number, plan: Plan): Promise<Row> {
  const store = sqliteStore({ path, durability: "process" });
  const steps = Math.round((events - 2) / eventsPerStep);
  const { runId } = await runSteps(steps, { store });
  const database = new Database(path, { readonly: true });
  const rows = database.prepare("select facts, content from events order by seq");
  try {
    const medians = await interleave(
      {
        bare: () => timeMs(() => rows.all().forEach(parse)),
        ours: () => timeMs(() => resumeSteps(runId, steps, store)),
      },
      plan.rounds(usualRounds),
    );
    return {
      name: `resume, ${events.toLocaleString("en-US")} events`,
      unit: "ms",
      ours: medians.ours,
      baseline: { name: "read and parse", value: medians.bare },
      ...(events === 10_000 ? { target: ratioAtMost(2.5) } : {}),
    };
  } finally {
    database.close();
    await store.close();
  }
}

function parse(row: unknown): unknown {
  const { facts, content } = row as { readonly facts: string; readonly content: string | null };
  return [JSON.parse(facts), content === null ? null : JSON.parse(content)];
}
