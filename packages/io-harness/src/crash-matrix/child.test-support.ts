// The program that is killed: one stage of a scripted run, in a folder. What came of it is printed when it is not.
import { hostname } from "node:os";
import { attach, type ResumeOptions, type RunResult, readLog, resume, run, workspace } from "@harness/core";
import { Policy } from "@harness/policy";
import { floor } from "@harness/sandbox-floor";
import { type Answer, type Ids, runId, type Store, type StoreUpkeep } from "@harness/spec";
import { fail, scriptedProvider } from "@harness/testing";
import { rewindRun } from "@harness/workspace";
import {
  type KillPoint,
  type KillSwitch,
  killSwitch,
  mortalSandbox,
  mortalStore,
  type Site,
} from "./kill-switch.test-support.js";
import { longRun } from "./long-run.test-support.js";
import { answersTo, brought } from "./person.test-support.js";
import { type Scenario, type Stage, theRun } from "./scenario.test-support.js";
import { scenarios } from "./scenarios.test-support.js";
import { toolsOf } from "./tools.test-support.js";
import { openStore, type World, worldIn } from "./world.test-support.js";

/** What the process is told to do. */
export interface Order {
  readonly folder: string;
  readonly scenario: string;
  readonly stage: Stage;
  readonly kill?: KillPoint;
}

/** What it says when it was not killed. */
export interface Report {
  /** Absent for a stage that does not drive. */
  readonly result?: RunResult;
  readonly sites: readonly Site[];
}

interface Driving {
  readonly scenario: Scenario;
  readonly world: World;
  readonly store: Store & StoreUpkeep;
  readonly options: ResumeOptions;
}

async function obey({ folder, scenario: name, stage, kill: point }: Order): Promise<Report> {
  const scenario = [...scenarios, longRun].find((one) => one.name === name);
  if (!scenario) throw new Error(`There is no scenario ${JSON.stringify(name)}.`);
  const world = worldIn(folder);
  const kill = killSwitch(point);
  await using opened = openStore(world);
  if (scenario.hasNeighbour) await settleNeighbour(opened, world);
  const store = mortalStore(opened, kill);
  const result = await carryOut(
    { scenario, world, store, options: await optionsFor(scenario, world, store, kill) },
    stage,
  );
  return { sites: kill.sites, ...(result ? { result } : {}) };
}

/** A run that has paused in the same workspace, before the one that is killed is there. */
async function settleNeighbour(store: Store, { root }: World): Promise<void> {
  const id = runId("the-neighbour");
  const [head] = await store.runs({ id });
  if (head) return;
  const ids: Ids = { run: () => id, owner: () => "the-neighbour's driver" };
  await run(workspace(root, { goal: "Be there." }), { provider: scriptedProvider([fail("auth")]), store, ids });
}

async function carryOut(driving: Driving, stage: Stage): Promise<RunResult | undefined> {
  switch (stage) {
    case "start":
      return recovered(driving, await begin(driving));
    case "drive":
      return attended(driving, await begin(driving));
    case "answer":
      await answerAll(driving);
      return undefined;
    case "rewind":
      await rewindRun(driving.store, theRun);
      return undefined;
    default:
      return stage satisfies never;
  }
}

/** Starts the run, or goes on with it. One that was created and came to nothing else is taken away first. */
async function begin({ scenario, world, store, options }: Driving): Promise<RunResult> {
  const [head] = await store.runs({ id: theRun });
  if (head && head.seq > 0) return resume(theRun, options);
  if (head) await store.delete(theRun);
  return run(workspace(world.root, { goal: scenario.name, ...scenario.contract }), options);
}

/** Goes on for as long as it is only unknown what became of a call; a look at the world tells. */
async function recovered(driving: Driving, first: RunResult): Promise<RunResult> {
  let result = first;
  while (result.outcome.type === "awaiting-recovery") result = await bring(driving, await answersTo(driving));
  return result;
}

/** Goes on until nobody is needed any more. */
async function attended(driving: Driving, first: RunResult): Promise<RunResult> {
  let result = first;
  for (;;) {
    const { type } = result.outcome;
    if (type === "budget" && driving.scenario.moreLimits) {
      result = await resume(theRun, { ...driving.options, limits: driving.scenario.moreLimits });
    } else if (type.startsWith("awaiting-")) {
      result = await bring(driving, await answersTo(driving));
    } else {
      return result;
    }
  }
}

async function bring({ scenario, store, options }: Driving, answers: readonly Answer[]): Promise<RunResult> {
  if (scenario.delivery === "inbox") {
    for (const answer of answers) await attach(store, theRun).answer(answer);
    return resume(theRun, options);
  }
  const [first] = answers;
  if (!first) throw new Error("The run waits, and for nothing.");
  return resume(theRun, { ...options, ...brought(first) });
}

async function answerAll(driving: Driving): Promise<void> {
  const seat = attach(driving.store, theRun);
  for (const answer of await answersTo(driving)) await seat.answer(answer);
}

async function optionsFor(
  scenario: Scenario,
  world: World,
  store: Store & StoreUpkeep,
  kill: KillSwitch,
): Promise<Driving["options"]> {
  const failures = await failuresIn(store);
  const { approver, responder, planGate } = scenario;
  return {
    provider: scriptedProvider(scenario.script((step) => failures.get(step) ?? 0)),
    store,
    tools: toolsOf(world, kill),
    sandbox: mortalSandbox(floor(), kill),
    policy: scenario.policy ?? Policy.permissive(),
    ids,
    environment: {},
    ...(approver ? { approver: approver(attach(store, theRun)) } : {}),
    ...(responder ? { responder } : {}),
    ...(planGate ? { planGate } : {}),
  };
}

/** A failure that never became durable did not happen as far as the log knows, and is made again. */
async function failuresIn(store: Store): Promise<ReadonlyMap<number, number>> {
  const failures = new Map<number, number>();
  for await (const { event } of readLog(store, theRun)) {
    if (event.type === "completion.failed") failures.set(event.step, (failures.get(event.step) ?? 0) + 1);
  }
  return failures;
}

let owners = 0;
const ids: Ids = {
  run: () => theRun,
  owner: () => {
    owners += 1;
    return `${hostname()}:${process.pid}:${owners}`;
  },
};

const [, , order = "{}"] = process.argv;
process.stdout.write(JSON.stringify(await obey(JSON.parse(order))));
