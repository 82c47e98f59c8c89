// What the parts of a check look with: a connection of the check's own that changes nothing, and a rest now and then, so that
// a file of gigabytes holds up neither the event loop nor whoever closes the store.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "@harness/spec";
import type { Source } from "../connection.js";
import type { Handle } from "../handle.js";
import type { Fault } from "./fault.js";

/** The event loop gets its turn after about this long. */
const sliceMs = 8;

export interface Inspection {
  readonly source: Source;
  readonly busyTimeoutMs: number;
  readonly look: Handle["look"];
  /** The store, for reading. */
  readonly store: Store;
  /** Between two pieces of work. Rejects once the store is closed. */
  rest(): Promise<void>;
}

/** One part of a check: what it looks at, to complete "… cannot be read", and what it finds there. */
export interface Look {
  readonly at: string;
  faults(inspection: Inspection): AsyncIterable<Fault>;
}

export function rests(signal: AbortSignal): () => Promise<void> {
  let restedAt = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - restedAt < sliceMs) return;
    await nextTurn();
    restedAt = performance.now();
  };
}
