// Verifying a run, beside what cannot be spared: reading its rows, and a hash of each one's facts and words.
import { join } from "node:path";
import { sha256, verifyTrace } from "@harness/spec";
import { sqliteStore } from "@harness/store-sqlite";
import Database from "better-sqlite3";
import { interleave, timeMs } from "../interleave.js";
import type { Measure, Plan } from "../measure.js";
import { type Row, ratioAtMost } from "../row.js";
import { inScratch } from "../scratch.js";
import { runSteps } from "../scripted-work.js";

/** A step makes six events, and a run one before its first and one behind its last. */
const eventsPerStep = 6;
const lengths = [100, 10_000] as const;
const usualRounds = 15;

export const verify: Measure = {
  name: "verify",
  async run(plan: Plan): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const events of lengths) rows.push(await inScratch((folder) => rowOf(join(folder, "runs.db"), events, plan)));
    return rows;
  },
};

async function rowOf(path: string, events: number, plan: Plan): Promise<Row> {
  const store = sqliteStore({ path, durability: "process" });
  const { runId } = await runSteps(Math.round((events - 2) / eventsPerStep), { store });
  const database = new Database(path, { readonly: true });
  const rows = database.prepare("select facts, content from events order by seq");
  try {
    const medians = await interleave(
      {
        bare: () => timeMs(() => rows.all().forEach(hash)),
        ours: () =>
          timeMs(async () => {
            const { type } = await verifyTrace(store, runId);
            if (type !== "verified") throw new Error(`A run of ${events} events does not verify.`);
          }),
      },
      plan.rounds(usualRounds),
    );
    return {
      name: `verify, ${events.toLocaleString("en-US")} events`,
      unit: "ms",
      ours: medians.ours,
      baseline: { name: "read and hash", value: medians.bare },
      ...(events === 10_000 ? { target: ratioAtMost(2) } : {}),
    };
  } finally {
    database.close();
    await store.close();
  }
}

function hash(row: unknown): void {
  const { facts, content } = row as { readonly facts: string; readonly content: string | null };
  sha256(facts);
  if (content !== null) sha256(content);
}
