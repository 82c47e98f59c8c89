// A process of its own for the measure of reading: it reads a run of the store at the path it is given from end to end, and prints
// by how much it has grown meanwhile. Where the reader went, memory may not stay.
import { runId } from "@harness/spec";
import { sqliteStore } from "@harness/store-sqlite";

/** What the process prints. */
export interface ReadingFigures {
  readonly events: number;
  /** The highest resident size while it read, less that before. */
  readonly grownMiB: number;
}

/** Enough for what is made once: the page cache, the statements, compiled code. */
const eventsToWarmUp = 5_000;
const sampleEvery = 200;

const [path = ""] = process.argv.slice(2);
const run = runId("read");
const store = sqliteStore({ path, readonly: true });
try {
  for await (const { seq } of store.read(run)) if (seq === eventsToWarmUp) break;
  const before = process.memoryUsage.rss();
  let highest = before;
  let events = 0;
  for await (const _ of store.read(run)) {
    events += 1;
    if (events % sampleEvery === 0) highest = Math.max(highest, process.memoryUsage.rss());
  }
  const figures: ReadingFigures = { events, grownMiB: (highest - before) / 2 ** 20 };
  console.log(JSON.stringify(figures));
} finally {
  await store.close();
}
