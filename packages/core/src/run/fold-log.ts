// A log, folded into the state that it says. What it folds is what was recorded, so it needs no port but the store.
import { genesis, type RunEvent, type RunId, type Store, type TraceHead } from "@harness/spec";
import { evolve } from "../loop/evolve.js";
import { initialState, type RunState } from "../loop/state.js";
import { readRow } from "../store/read-log.js";

export interface Folded {
  readonly state: RunState;
  readonly head: TraceHead;
}

/** What a run is before its first event. */
export function unfolded(run: RunId): Folded {
  return { state: initialState(run), head: genesis(run) };
}

/** Folds what came behind `from`. `check` is told of every event before it is folded, and may throw. Rejects as `readLog` does. */
export async function foldLog(store: Store, from: Folded, check?: (event: RunEvent) => void): Promise<Folded> {
  let { state, head } = from;
  for await (const stored of store.read(state.id, { after: head.seq })) {
    const entry = readRow(store, state.id, stored);
    const sealed = entry instanceof Promise ? await entry : entry;
    check?.(sealed.event);
    state = evolve(state, sealed);
    head = stored;
  }
  return { state, head: { seq: head.seq, hash: head.hash } };
}
