// What commands read of a run without driving it. A log whose words retention has emptied can still be looked at: such events
// come without `content`.
import {
  ConfigError,
  type EventOf,
  type ReadOptions,
  type RunEvent,
  type RunHead,
  type RunId,
  runId,
  type Store,
  type StoredEvent,
  StoreError,
  typeOf,
  unseal,
} from "@harness/spec";
import { type CommandPlace, commandOf } from "./command-line.js";
import { providerLabel } from "./provider-module.js";
import type { LastDriver } from "./render/next-commands.js";

/** The run called `id`. Throws `ConfigError` when there is none. */
export async function findRun(store: Store, id: string, place: CommandPlace): Promise<RunHead> {
  const [head] = await store.runs({ id: parseId(id) });
  if (!head)
    throw new ConfigError(`There is no run ${id} in this store. List those there are: ${commandOf(place, "runs")}`);
  return head;
}

function parseId(id: string): RunId {
  try {
    return runId(id);
  } catch (cause) {
    throw new ConfigError((cause as Error).message, { cause });
  }
}

/** The events of a run, in order. Throws `StoreError` (`corrupt`) for a row that is not one. */
export async function* readTrace(store: Store, run: RunId, options: ReadOptions = {}): AsyncGenerator<RunEvent> {
  for await (const stored of store.read(run, options)) yield await readEvent(store, run, stored);
}

/** The first event after `after`, if there is one. */
export async function eventAfter(store: Store, run: RunId, after: number): Promise<RunEvent | undefined> {
  for await (const event of readTrace(store, run, { after })) return event;
  return undefined;
}

/** The event with which the last driver stopped, whatever was undone since; `undefined` where it did not stop. */
export async function lastStop(
  store: Store,
  { id, seq }: Pick<RunHead, "id" | "seq">,
): Promise<EventOf<"run.paused" | "run.finished"> | undefined> {
  for (let at = seq; at > 0; at -= 1) {
    const event = await eventAfter(store, id, at - 1);
    if (event?.type === "run.paused" || event?.type === "run.finished") return event;
    if (event?.type !== "files.rewound") return undefined;
  }
  return undefined;
}

/** Looks at every event of the run, and reads those of its drivers. */
export async function lastDriver(store: Store, run: RunId): Promise<LastDriver> {
  let found: LastDriver = { limits: undefined, provider: undefined };
  for await (const stored of store.read(run)) {
    const type = typeOf(stored);
    if (type !== "run.started" && type !== "run.resumed") continue;
    const event = await readEvent(store, run, stored);
    if (event.type !== "run.started" && event.type !== "run.resumed") continue;
    found = { limits: event.limits, provider: event.labels[providerLabel] ?? found.provider };
  }
  return found;
}

async function readEvent(store: Store, run: RunId, stored: StoredEvent): Promise<RunEvent> {
  const { content, contentHash, seq } = stored;
  const blob = content === null && contentHash !== null ? await store.blobs.get(contentHash) : undefined;
  try {
    return unseal(stored, blob ? new TextDecoder().decode(blob) : content);
  } catch (cause) {
    const message = `Event ${seq} of run ${run} cannot be read: ${(cause as Error).message}. Verify the trace.`;
    throw new StoreError("corrupt", message, { cause, runId: run });
  }
}
