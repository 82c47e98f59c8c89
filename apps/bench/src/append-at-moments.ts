// A writer for the measure of following. It never waits equally long twice, so that its appends fall on every phase of a reader
// that looks at regular times, and it tells the time by a clock that is the same in every process of this machine.
import { setTimeout as sleep } from "node:timers/promises";
import { genesis, type NewEvent, type RunEvent, type RunId, redactor, type Store, seal } from "@harness/spec";

/** When an event was durable, or seen. */
export interface Moment {
  readonly seq: number;
  readonly atMs: number;
}

const shortestMs = 10;
const longestMs = 110;

/** Milliseconds since some moment that is the same for all processes. */
export function machineTimeMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Creates `run`, appends `count` events and `run.finished` to it one by one, and tells of each once it is durable. */
export async function appendAtMoments(
  store: Store,
  run: RunId,
  count: number,
  tell: (moment: Moment) => void,
): Promise<void> {
  await store.create({ id: run, root: run, parent: null, createdAt: Date.now() });
  const lease = await store.acquire(run, "bench", 60_000);
  const redact = redactor();
  let head = genesis(run);
  const append = async (event: NewEvent) => {
    const { stored } = seal(head, { ...event, seq: head.seq + 1, at: Date.now() } as RunEvent, redact);
    head = stored;
    await store.append(lease, run, [stored]);
    tell({ seq: stored.seq, atMs: machineTimeMs() });
  };
  for (let nth = 1; nth <= count; nth += 1) {
    await sleep(shortestMs + (longestMs - shortestMs) * scattered(nth));
    await append({ type: "step.started", step: nth });
  }
  await append({ type: "run.finished", step: count, ending: { type: "success" }, steps: count });
}

/** From 0 to 1, evenly spread, and without a rhythm: multiples of the golden ratio, less their whole part. */
function scattered(nth: number): number {
  return (nth * 0.618_033_988_75) % 1;
}
