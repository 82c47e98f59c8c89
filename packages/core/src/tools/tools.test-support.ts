// Tools and stores that do as a test says. A reader reads the path it is given, a writer writes it, and what they answer is up
// to the test.
import {
  type AnyTool,
  defineTool,
  type JsonObject,
  type Store,
  StoreError,
  type ToolContext,
  type ToolResult,
} from "@harness/spec";
import { z } from "zod";

type Work = (input: JsonObject, context: ToolContext) => Promise<Partial<ToolResult> | undefined> | Promise<void>;

const anything = z.looseObject({ path: z.string().default("file") });

/** A read of `path`. Answers "seen" unless `work` says otherwise. */
export function reader(name = "look", work: Work = async () => ({}), more: Partial<AnyTool> = {}): AnyTool {
  return defineTool({
    name,
    description: "Reads.",
    input: anything,
    effect: "read",
    acts: async ({ path }) => [{ type: "read", target: path }],
    invoke: async (input, context) => ({ text: "seen", ...(await work(input as JsonObject, context)) }),
    ...more,
  });
}

/** A write of `path`, which may be made again after a crash. Answers "done" unless `work` says otherwise. */
export function writer(name = "change", work: Work = async () => ({}), more: Partial<AnyTool> = {}): AnyTool {
  return defineTool({
    name,
    description: "Writes.",
    input: anything,
    effect: "write",
    recovery: "replayable",
    acts: async ({ path }) => [{ type: "write", target: path }],
    invoke: async (input, context) => ({ text: "done", changed: true, ...(await work(input as JsonObject, context)) }),
    ...more,
  });
}

/** Something that is settled from outside. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

export function deferred<Value = void>(): Deferred<Value> {
  let settle: Pick<Deferred<Value>, "resolve" | "reject"> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: (value) => settle?.resolve(value), reject: (error) => settle?.reject(error) };
}

/** Resolves when `signal` fires. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** One turn of the event loop: everything that is ready to go on does. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A store whose appends take a turn each, and are in the log when it is over. */
export function slowStore(inner: Store): Store {
  return {
    ...inner,
    async append(...given) {
      await turn();
      await inner.append(...given);
    },
  };
}

export interface HeldStore {
  readonly store: Store;
  /** Appends that were asked for so far, without heartbeats. */
  readonly appends: number;
  readonly isHolding: boolean;
  /** Appends that wait. */
  readonly waiting: number;
  /** From now on appends wait until `release`. */
  hold(): void;
  release(): void;
}

/** A store whose appends can be made to wait. */
export function heldStore(inner: Store): HeldStore {
  let barrier: Deferred<void> | undefined;
  let appends = 0;
  let waiting = 0;
  return {
    store: {
      ...inner,
      async append(lease, run, events) {
        if (events.length > 0) appends += 1;
        waiting += 1;
        await barrier?.promise;
        waiting -= 1;
        return inner.append(lease, run, events);
      },
    },
    get appends() {
      return appends;
    },
    get isHolding() {
      return barrier !== undefined;
    },
    get waiting() {
      return waiting;
    },
    hold() {
      barrier ??= deferred();
    },
    release() {
      barrier?.resolve();
      barrier = undefined;
    },
  };
}

/** A store that cannot write any more from its `nth` append on (from 1), heartbeats left out. */
export function failingStore(
  inner: Store,
  nth: number,
  error: Error = new StoreError("full", "No space is left."),
): Store {
  let appends = 0;
  return {
    ...inner,
    async append(lease, run, events) {
      if (events.length > 0) appends += 1;
      if (appends >= nth) throw error;
      return inner.append(lease, run, events);
    },
  };
}
