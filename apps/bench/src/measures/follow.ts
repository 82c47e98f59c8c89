// Following a run: how long after an event was durable its reader has it, when another process wrote it and when this one did,
// and what a reader costs while nothing happens.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { type RunId, runId, type Store } from "@harness/spec";
import { sqliteStore } from "@harness/store-sqlite";
import { appendAtMoments, type Moment, machineTimeMs } from "../append-at-moments.js";
import type { Measure } from "../measure.js";
import { appFolder } from "../places.js";
import { atMost, type Row } from "../row.js";
import { inScratch } from "../scratch.js";

const usualAppends = 150;
const idleMs = 3_000;
const run = runId("followed");
const program = join(appFolder, "dist", "appending-process.js");

export const follow: Measure = {
  name: "follow",
  run: (plan) =>
    inScratch(async (folder) => {
      const appends = plan.rounds(usualAppends);
      const elsewhere = await delaysOf(join(folder, "elsewhere.db"), (path) => appendElsewhere(path, appends));
      const here = await delaysOf(join(folder, "here.db"), (_, store) => appendHere(store, appends));
      return [
        row("another process's append is seen, median", percentile(elsewhere, 50)),
        { ...row("another process's append is seen, p95", percentile(elsewhere, 95)), target: atMost(150) },
        row("another process's append is seen, longest", percentile(elsewhere, 100)),
        row("this process's append is seen, p95", percentile(here, 95)),
        { name: "a follower while nothing happens", unit: "ms CPU/s", ours: await idleCost(join(folder, "idle.db")) },
      ];
    }),
};

function row(name: string, ours: number): Row {
  return { name, unit: "ms", ours };
}

/** Milliseconds from each event's being durable, by what `write` says, until a follower of the store at `path` has it. */
async function delaysOf(
  path: string,
  write: (path: string, store: Store) => Promise<readonly Moment[]>,
): Promise<readonly number[]> {
  const store = sqliteStore({ path });
  try {
    const seen = new Map<number, number>();
    const reading = noteAll(store, run, seen);
    const moments = await write(path, store);
    await reading;
    // A reader may have an event before its writer has heard that it is durable.
    return moments.map(({ seq, atMs }) => Math.max(0, (seen.get(seq) ?? Number.POSITIVE_INFINITY) - atMs));
  } finally {
    await store.close();
  }
}

async function noteAll(store: Store, run: RunId, seen: Map<number, number>): Promise<void> {
  const { signal } = new AbortController();
  for await (const { seq } of store.read(run, { follow: signal })) seen.set(seq, machineTimeMs());
}

async function appendElsewhere(path: string, count: number): Promise<readonly Moment[]> {
  const child = spawn(process.execPath, [program, path, String(count)], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const moments: Moment[] = [];
  for await (const line of createInterface({ input: child.stdout })) moments.push(JSON.parse(line) as Moment);
  const [status] = await ended;
  if (status !== 0) throw new Error(`The process that appends ended with ${status}.`);
  return moments;
}

async function appendHere(store: Store, count: number): Promise<readonly Moment[]> {
  const moments: Moment[] = [];
  await appendAtMoments(store, run, count, (moment) => moments.push(moment));
  return moments;
}

/** Milliseconds of CPU in a second that a follower adds to a process that does nothing. */
async function idleCost(path: string): Promise<number> {
  const store = sqliteStore({ path });
  const stop = new AbortController();
  try {
    await store.runs();
    const alone = await cpuPerSecond();
    const reading = (async () => {
      for await (const _ of store.read(run, { follow: stop.signal }));
    })();
    await store.runs();
    const following = await cpuPerSecond();
    stop.abort();
    await reading;
    return Math.max(0, following - alone);
  } finally {
    await store.close();
  }
}

async function cpuPerSecond(): Promise<number> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  await sleep(idleMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (performance.now() - startedAt);
}

/** The smallest value that no less than `percent` of `values` do not exceed. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
