// A process of its own for the measure of parked agents, run with `--expose-gc`: it starts them, waits until every one of them
// waits for its last completion, weighs the heap, lets them end, weighs it again, and prints the figures as JSON.

import { setImmediate as nextTurn } from "node:timers/promises";
import { memoryStore, type RunResult, run, workspace } from "@harness/core";
import type { Completion, Provider } from "@harness/spec";
import { readTool, scriptedModel, workFolder } from "./scripted-work.js";

/** What the process prints. */
export interface ParkedFigures {
  /** What a parked agent holds of the heap, its part of the store in memory included. */
  readonly parkedKiB: number;
  /** What is left of an agent once all have ended, and their store is closed and dropped. */
  readonly leftKiB: number;
  readonly peakRssMiB: number;
}

const agents = 1_000;
/** Steps that an agent makes before it is parked. */
const steps = 10;
/** Enough for what is made once and kept: compiled code, compiled rules, the tool's description. */
const agentsToWarmUp = 100;

/** One tool for all, as a program that runs many agents has it. */
const tools = [readTool()];

const ending: Completion = {
  text: "I have read every file.",
  calls: [],
  reasoning: null,
  usage: null,
  model: null,
  stop: "end",
  finishReason: "stop",
  ttftMs: null,
};

/** The scripted model for `steps` steps; then it says that it is parked, and ends once `released` is. */
function parkingModel(released: Promise<void>, onParked: () => void): Provider {
  const model = scriptedModel();
  let asked = 0;
  const complete: Provider["complete"] = async (request, options) => {
    asked += 1;
    if (asked <= steps) return model.complete(request, options);
    onParked();
    await released;
    return ending;
  };
  return { spec: 1, name: model.name, endpoints: [], complete };
}

interface Gate {
  /** Resolves once it is open. */
  readonly opened: Promise<void>;
  open(): void;
}

function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Parks `count` agents on one store, calls `whenParked`, and resolves when every one of them has ended as it should. */
async function parkAll(count: number, whenParked: () => Promise<void>): Promise<void> {
  const store = memoryStore();
  const everyone = gate();
  const release = gate();
  let parked = 0;
  const onParked = () => {
    parked += 1;
    if (parked === count) everyone.open();
  };
  const running = Array.from({ length: count }, (_, nth) =>
    run(workspace(workFolder, { goal: `Read every file of part ${nth}.` }), {
      provider: parkingModel(release.opened, onParked),
      store,
      tools,
      environment: { EXAMPLE_API_KEY: "not-a-real-key" },
    }),
  );
  // A run that ends before it is parked would leave the others waiting for ever.
  await Promise.race([everyone.opened, Promise.all(running).then(checkAll)]);
  await whenParked();
  release.open();
  checkAll(await Promise.all(running));
  await store.close();
}

function checkAll(results: readonly RunResult[]): void {
  for (const { outcome } of results) {
    if (outcome.type === "finished" && outcome.steps === steps + 1) continue;
    throw new Error(`An agent ended otherwise than by its own answer: ${JSON.stringify(outcome)}.`);
  }
}

/** Bytes of the heap that are in use. What has just been let go of takes a few turns and collections to be gone. */
async function heapInUse(): Promise<number> {
  const { gc } = globalThis;
  if (!gc) throw new Error("The heap can be weighed only in a process that was started with --expose-gc.");
  for (let round = 0; round < 5; round += 1) {
    await nextTurn();
    gc();
  }
  return process.memoryUsage().heapUsed;
}

await parkAll(agentsToWarmUp, async () => {});
const before = await heapInUse();
let parked = 0;
await parkAll(agents, async () => {
  parked = await heapInUse();
});
const after = await heapInUse();

const kibOf = (bytes: number) => bytes / 1_024 / agents;
const figures: ParkedFigures = {
  parkedKiB: kibOf(parked - before),
  leftKiB: kibOf(after - before),
  peakRssMiB: process.resourceUsage().maxRSS / 1_024,
};
console.log(JSON.stringify(figures));
