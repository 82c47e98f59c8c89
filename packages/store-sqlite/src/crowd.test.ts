// Many processes on one file, each with a run of its own, and readers among them: nothing is lost, nobody is told that the file
// is busy, and every chain verifies.
import { type RunId, runId, verifyTrace } from "@harness/spec";
import { expect, it } from "vitest";
import { sqliteStore } from "./sqlite-store.js";
import {
  type Child,
  collect,
  freshPath,
  scriptWithStore,
  startProcess,
  storeForProcesses,
  using,
} from "./store.test-support.js";

const built = storeForProcesses();

const processes = 8;
const eventsPerStep = 6;

/** A step is stored in two appends of three events, as core does it when a tool takes its time. */
const writer = (steps: number) => `
  const id = "run-" + process.pid;
  const next = logAt(genesis(id));
  let head;
  const append = async (...events) => {
    const batch = next(...events);
    await store.append(lease, id, batch);
    head = batch.at(-1);
  };
  console.log("ready");
  await line();
  await store.create({ id, root: id, parent: null, createdAt: Date.now() });
  const lease = await store.acquire(id, mine, 60000);
  for (let step = 1; step <= ${steps}; step++) {
    const replanned = (nth) => ({ type: "run.replanned", step, nth, content: { text: "Words of step " + step + ". ".repeat(100) } });
    await append({ type: "step.started", step }, replanned(1), replanned(2));
    await append(replanned(3), replanned(4), { type: "step.finished", step, changed: false, ends: null });
  }
  await append({ type: "run.finished", step: ${steps}, ending: { type: "success" }, steps: ${steps} });
  await store.release(lease);
  await store.close();
  console.log(head.hash);
  process.exit();
`;

/** Lists and verifies what there is, over and over, until it is told to stop; then says how often it did. */
const reader = `
  let isOver = false;
  console.log("ready");
  await line();
  line().then(() => (isOver = true));
  let verified = 0;
  while (!isOver || verified === 0) {
    for (const { id } of await store.runs()) {
      const check = await verifyTrace(store, id);
      if (check.type !== "verified") throw new Error(id + ": " + JSON.stringify(check));
      verified += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await store.close();
  console.log(verified);
  process.exit();
`;

async function started(count: number, script: string, path: string): Promise<readonly Child[]> {
  const children = Array.from({ length: count }, () => startProcess(script, path));
  for (const child of children) expect(await child.line()).toBe("ready");
  return children;
}

it.each([
  ["process", 500],
  ["power", 40],
] as const)(
  "durable against the end of the %s, eight processes drive %i steps each and lose nothing",
  async (durability, steps) => {
    const path = freshPath();
    const script = (body: string) => scriptWithStore(built.url, body, JSON.stringify({ durability }));
    const writers = await started(processes, script(writer(steps)), path);
    const readers = await started(2, script(reader), path);
    const store = using(sqliteStore({ path }));
    const follow = new AbortController().signal;
    const ids: readonly RunId[] = writers.map(({ pid }) => runId(`run-${pid}`));
    const following = ids.map((id) => collect(store.read(id, { follow })));

    for (const child of [...writers, ...readers]) child.send("go");
    const hashes = await Promise.all(writers.map((child) => child.line()));
    for (const child of readers) child.send("stop");

    expect(await Promise.all([...writers, ...readers].map(({ ended }) => ended))).toEqual(Array(processes + 2).fill(0));
    for (const child of readers) expect(Number(await child.line())).toBeGreaterThan(0);
    const seqs = Array.from({ length: eventsPerStep * steps + 1 }, (_, index) => index + 1);
    for (const [nth, id] of ids.entries()) {
      expect((await following[nth])?.map(({ seq }) => seq)).toEqual(seqs);
      expect(await verifyTrace(store, id, hashes[nth] as never)).toMatchObject({ type: "verified", isFinished: true });
    }
    expect(await store.check()).toEqual([]);
  },
  60_000,
);
