// A scripted run from its first process to its last, whatever kills them on the way, and what is to be seen then: how it ended, its
// log, and the world.
import { type RunResult, readLog, resume } from "@harness/core";
import { type RunEvent, type StoredEvent, type TraceCheck, verifyTrace } from "@harness/spec";
import { scriptedProvider } from "@harness/testing";
import type { Order } from "./child.test-support.js";
import type { Site } from "./kill-switch.test-support.js";
import type { Ended } from "./processes.test-support.js";
import { type Scenario, stagesOf, theRun } from "./scenario.test-support.js";
import {
  countedEffects,
  filesIn,
  openStore,
  prepare,
  rememberAs,
  returnTo,
  type World,
  worldIn,
} from "./world.test-support.js";

export interface Played {
  /** What the last process that drove it came to. */
  readonly result: RunResult;
  /** The same, asked for once more by a process that drives nothing. */
  readonly again: RunResult;
  /** Whether asking once more left the log as it was. */
  readonly isUntouched: boolean;
  readonly events: readonly RunEvent[];
  readonly effects: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** How the log was found behind every kill and at the end, in a word each. */
  readonly checks: readonly TraceCheck["type"][];
  /** What the process that came to the end of each stage passed on the way. */
  readonly sites: readonly (readonly Site[])[];
  readonly kills: number;
}

/** Has a process carry out `order`, for the `nth` time (from 1). `stage` counts from 0. */
export type Attempt = (order: Order, stage: number, nth: number) => Promise<Ended>;

/**
 * Plays `scenario` in `folder`. A stage whose process was killed is begun again. With `from` it begins at that stage (from 0) with
 * what another playing in the same folder had left by then.
 */
export async function play(scenario: Scenario, folder: string, attempt: Attempt, from?: number): Promise<Played> {
  const world = worldIn(folder);
  if (from === undefined) await prepare(world, scenario);
  else await returnTo(world, from);
  const checks: TraceCheck["type"][] = [];
  const sites: (readonly Site[])[] = [];
  let result: RunResult | undefined;
  for (const [index, stage] of stagesOf(scenario).entries()) {
    if (index < (from ?? 0)) continue;
    if (from === undefined) await rememberAs(world, index);
    const order = { folder, scenario: scenario.name, stage };
    let nth = 1;
    let ended = await attempt(order, index, nth);
    for (; ended.type === "killed"; ended = await attempt(order, index, nth)) {
      checks.push(await checked(world));
      nth += 1;
    }
    sites.push(ended.report.sites);
    result = ended.report.result ?? result;
  }
  const kills = checks.length;
  checks.push(await checked(world));
  const found = await seen(world);
  return { result: result ?? found.again, ...found, checks, sites, kills };
}

async function checked(world: World): Promise<TraceCheck["type"]> {
  await using store = openStore(world);
  return (await verifyTrace(store, theRun)).type;
}

async function seen(world: World): Promise<Pick<Played, "again" | "isUntouched" | "events" | "effects" | "files">> {
  await using store = openStore(world);
  const before = await collected(store.read(theRun));
  const again = await resume(theRun, { provider: scriptedProvider([]), store });
  const after = await collected<StoredEvent>(store.read(theRun));
  return {
    // As it is when it comes from another process.
    again: JSON.parse(JSON.stringify(again)),
    isUntouched: JSON.stringify(before) === JSON.stringify(after),
    events: (await collected(readLog(store, theRun))).map(({ event }) => event),
    effects: countedEffects(world),
    files: await filesIn(world),
  };
}

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
