// Reading a long run: what the reader's process grows by, which must not depend on how long the run is. Every round is a process of
// its own, because memory is seldom given back.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { genesis, type RunEvent, redactor, runId, seal } from "@harness/spec";
import { sqliteStore } from "@harness/store-sqlite";
import { median } from "../interleave.js";
import type { Measure } from "../measure.js";
import { appFolder } from "../places.js";
import type { ReadingFigures } from "../reading-process.js";
import { atMost } from "../row.js";
import { inScratch } from "../scratch.js";

const lengths = [10_000, 100_000] as const;
const usualRounds = 3;
const run = runId("read");
const batch = 500;
const program = join(appFolder, "dist", "reading-process.js");
/** About as many words as a step leaves. */
const text = "A line of what a tool has said, as it is shown to a model. ".repeat(16);

export const readStream: Measure = {
  name: "read",
  run: (plan) =>
    inScratch(async (folder) => {
      const grown: number[] = [];
      for (const events of lengths) {
        const path = join(folder, `${events}.db`);
        await fill(path, events);
        grown.push(median(Array.from({ length: plan.rounds(usualRounds) }, () => readInProcess(path, events))));
      }
      const [short = 0, long = 0] = grown;
      return [
        { name: "read, RSS grown at 10,000 events", unit: "MiB", ours: short },
        { name: "read, RSS grown at 100,000 events", unit: "MiB", ours: long, target: atMost(32) },
      ];
    }),
};

async function fill(path: string, events: number): Promise<void> {
  const store = sqliteStore({ path, durability: "process" });
  await store.create({ id: run, root: run, parent: null, createdAt: Date.now() });
  const lease = await store.acquire(run, "bench", 600_000);
  const redact = redactor();
  let head = genesis(run);
  for (let seq = 1; seq <= events; seq += batch) {
    const rows = Array.from({ length: batch }, (_, index) => {
      const nth = seq + index;
      const event: RunEvent = {
        type: "run.replanned",
        seq: nth,
        step: nth,
        at: nth,
        nth,
        content: { text: `${nth} ${text}` },
      };
      const { stored } = seal(head, event, redact);
      head = stored;
      return stored;
    });
    await store.append(lease, run, rows);
  }
  await store.close();
}

function readInProcess(path: string, events: number): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, path], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The process that reads failed:\n${stderr}`);
  const figures = JSON.parse(stdout) as ReadingFigures;
  if (figures.events !== events) throw new Error(`Of ${events} events ${figures.events} were read.`);
  return figures.grownMiB;
}
