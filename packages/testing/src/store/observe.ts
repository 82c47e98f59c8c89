// How cases look at a store: everything an iterable yields, one run's head, what becomes of a crowd of promises, and waiting
// for a condition rather than for a time.
import type { RunHead, RunId, Store } from "@harness/spec";
import { expect, vi } from "vitest";

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The head of `run`, which has to be known. */
export async function headOf(store: Store, run: RunId): Promise<RunHead> {
  const [head] = await store.runs({ id: run });
  if (!head) throw new Error(`The store lists no run ${run}.`);
  return head;
}

/** Tries again until `attempt` does not throw; resolves to what it returned. */
export function eventually<Value>(attempt: () => Promise<Value> | Value): Promise<Value> {
  return vi.waitFor(attempt, { timeout: 20_000, interval: 5 });
}

/** The codes that errors were rejected with, `kept` for each promise that resolved. */
export async function fates(promises: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((result) =>
    result.status === "fulfilled" ? "kept" : String(result.reason?.code ?? result.reason),
  );
}

export interface Watch<Item> {
  readonly seen: readonly Item[];
  /** Resolves once `count` items were seen. */
  has(count: number): Promise<void>;
  /** Resolves when the iterable ends, rejects when it fails. */
  readonly done: Promise<void>;
}

/** Reads `items` in the background. */
export function watch<Item>(items: AsyncIterable<Item>): Watch<Item> {
  const seen: Item[] = [];
  const done = (async () => {
    for await (const item of items) seen.push(item);
  })();
  // The case awaits `done`; until then a failure must not count as unhandled.
  done.catch(() => {});
  return {
    seen,
    done,
    has: (count) => eventually(() => void expect(seen.length).toBeGreaterThanOrEqual(count)),
  };
}
