// Driving a scenario, cutting it, and driving it on.
import {
  type RecoveryDecision,
  type RunEvent,
  type RunId,
  runId,
  type Store,
  type StoredEvent,
  StoreError,
  systemClock,
  verifyTrace,
} from "@harness/spec";
import { scriptedProvider } from "@harness/testing";
import { workspace } from "../contract/contract-input.js";
import { completed, retry } from "../run/answers.js";
import { attach } from "../run/attach.js";
import type { ResumeOptions } from "../run/options.js";
import type { RunResult } from "../run/result.js";
import { resume } from "../run/resume.js";
import { run } from "../run/start.js";
import { readLog } from "../store/read-log.js";
import { checkingSandbox, policyOf, type Scenario } from "./scenarios.test-support.js";
import { toolsOf, type World } from "./world.test-support.js";

export const theRun = runId("the-run");

let drivers = 0;
const ids = {
  run: () => theRun,
  owner: () => {
    drivers += 1;
    return `elsewhere:1:${drivers}`;
  },
};

export function optionsFor(scenario: Scenario, world: World, store: Store): ResumeOptions & { store: Store } {
  return {
    provider: scriptedProvider(scenario.script(world)),
    store,
    tools: toolsOf(world),
    sandbox: checkingSandbox(world),
    policy: policyOf(scenario),
    ids,
    environment: {},
    clock: { ...systemClock(), now: () => world.now },
    ...(scenario.approver ? { approver: scenario.approver } : {}),
    ...(scenario.responder ? { responder: scenario.responder } : {}),
    ...(scenario.planGate ? { planGate: scenario.planGate } : {}),
  };
}

export async function drive(scenario: Scenario, world: World, store: Store, root: string): Promise<RunResult> {
  const contract = workspace(root, { goal: scenario.name, ...scenario.contract });
  return attended(scenario, world, store, await run(contract, optionsFor(scenario, world, store)));
}

/** Resumes until it no longer waits for a person. */
export async function driveOn(scenario: Scenario, world: World, store: Store): Promise<RunResult> {
  return attended(scenario, world, store, await resume(theRun, optionsFor(scenario, world, store)));
}

/** A person knows the world and says what is true of it; in another process, they leave the answers of the scenario. */
async function attended(scenario: Scenario, world: World, store: Store, first: RunResult): Promise<RunResult> {
  let result = first;
  while (result.outcome.type.startsWith("awaiting-")) {
    const { outcome } = result;
    const recovery = outcome.type === "awaiting-recovery" ? await recoveryOf(world, store, outcome.callId) : undefined;
    if (!recovery) await answerAll(scenario, store);
    result = await resume(theRun, { ...optionsFor(scenario, world, store), ...(recovery ? { recovery } : {}) });
  }
  return result;
}

async function recoveryOf(world: World, store: Store, call: string): Promise<RecoveryDecision> {
  const input = await inputOf(store, call);
  const happened = world.sent.includes(String(input.text));
  return happened ? completed(`sent ${input.text}`) : retry();
}

async function answerAll({ name, answers }: Scenario, store: Store): Promise<void> {
  if (!answers) throw new Error(`"${name}" waits, and nobody was to be asked.`);
  const seat = attach(store, theRun);
  for (const waiting of await seat.waiting()) await seat.answer(answers(waiting));
}

async function inputOf(store: Store, call: string): Promise<Record<string, unknown>> {
  let input: Record<string, unknown> = {};
  for (const event of await eventsOf(store)) {
    if (event.type === "completion.finished" && call.startsWith(`${event.step}.`)) {
      input = event.content.calls[Number(call.split(".")[1]) - 1]?.arguments ?? {};
    }
    if (event.type === "approval.decided" && event.call === call && event.content.input) input = event.content.input;
  }
  return input;
}

export async function eventsOf(store: Store, run: RunId = theRun): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const { event } of readLog(store, run)) events.push(event);
  return events;
}

export async function rowsOf(store: Store): Promise<readonly StoredEvent[]> {
  const rows: StoredEvent[] = [];
  for await (const row of store.read(theRun)) rows.push(row);
  return rows;
}

/** Puts the first `rows` into an empty store, and leaves nobody holding it. */
export async function plant(store: Store, rows: readonly StoredEvent[]): Promise<void> {
  await store.create({ id: theRun, root: theRun, parent: null, createdAt: 0 });
  const lease = await store.acquire(theRun, "planter", 1_000);
  await store.append(lease, theRun, rows);
  await store.release(lease);
}

/** Whether the trace verifies, in a word. */
export async function checked(store: Store): Promise<string> {
  return (await verifyTrace(store, theRun)).type;
}

/** A store that dies at its `nth` write (from 1), an append or an answer, before or after it, and answers nobody from then on. */
export function dyingStore(inner: Store, nth: number, when: "before" | "after"): Store & { readonly isDead: boolean } {
  let writes = 0;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new StoreError("other", "The process died here.");
  };
  return {
    ...inner,
    get isDead() {
      return isDead;
    },
    async append(lease, run, events) {
      if (isDead) die();
      if (events.length > 0) writes += 1;
      if (writes === nth && when === "before") die();
      await inner.append(lease, run, events);
      if (writes === nth) die();
    },
    async answer(run, answer) {
      if (isDead) die();
      writes += 1;
      if (writes === nth && when === "before") die();
      const isFirst = await inner.answer(run, answer);
      return writes === nth ? die() : isFirst;
    },
    release: async (lease) => (isDead ? die() : inner.release(lease)),
  };
}
