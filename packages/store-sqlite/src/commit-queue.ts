// Everything that writes goes through here. What is asked for in one turn of the event loop shares a transaction, and so one
// sync; each entry is done or refused on its own. A flush is kept short because the driver is synchronous: while it works,
// nothing else in the process does.
import { isHarnessError, type RunId, StoreError } from "@harness/spec";
import { isBusy, isInputOutput, storeFailure } from "./failures.js";
import { backoffMs } from "./patience.js";
import type { Transaction, Transactions } from "./transaction.js";

/** Rows of one transaction. An entry is never split, so one with more rows has a transaction to itself. */
const maxRows = 256;
/** Whoever waits for an entry goes on at once when it is done, all of them in the same turn. */
const maxEntries = 64;
/** A transaction takes in no further entry after this long. */
const maxWorkMs = 3;
/** The event loop gets its turn at least this often. */
const maxStreakMs = 4;
/** After a failure of the system, before the only other try. */
const retryMs = 20;

export interface Write<Value> {
  /** Completes "Could not …" in messages. */
  readonly attempt: string;
  readonly run?: RunId;
  readonly rows: number;
  /** Throws an error of this project to refuse, before its first row; anything else undoes the whole transaction. */
  readonly work: (tx: Transaction) => Value;
}

interface Entry {
  readonly write: Write<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** How long the queue had waited for locks when it came. */
  readonly waitedMs: number;
  /** The system failed to write it once, which it may do for a moment. */
  hasFailed: boolean;
}

export interface CommitQueueOptions {
  /** What is written to, for messages. */
  readonly name: string;
  /** Opens the database on the first write. Rejects with an error of this project. */
  readonly open: () => Promise<Transactions>;
  /** Told of every entry that was done, once it is durable and before its promise resolves. */
  readonly onCommit: (run: RunId) => void;
  readonly busyTimeoutMs: number;
  /** Who may be holding the lock, for the message. */
  readonly holders: () => readonly string[];
}

export interface CommitQueue {
  /** Does `write` in the next transaction. Resolves, to what it returned, once that is durable. */
  add<Value>(write: Write<Value>): Promise<Value>;
  /** Resolves when everything that was added has settled. */
  idle(): Promise<void>;
}

export function commitQueue({ name, open, onCommit, busyTimeoutMs, holders }: CommitQueueOptions): CommitQueue {
  const queue: Entry[] = [];
  const idlers: (() => void)[] = [];
  let transactions: Transactions | undefined;
  let isScheduled = false;
  /** Entries at the front that get a transaction each, because the one they shared has failed. */
  let alone = 0;
  let busyTries = 0;
  let waitedMs = 0;
  let turnedAt = Number.NEGATIVE_INFINITY;

  function add<Value>(write: Write<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      queue.push({ write, resolve: resolve as Entry["resolve"], reject, waitedMs, hasFailed: false });
      if (!isScheduled) schedule();
    });
  }

  // Never before every microtask has run: whatever is recorded meanwhile shares the flush. Handing the turn back to the event
  // loop costs a lone run more than its bookkeeping, so for a few ms it is spared that.
  function schedule(delayMs = 0): void {
    isScheduled = true;
    if (delayMs > 0) setTimeout(turn, delayMs);
    else if (queue.length === 1 && performance.now() - turnedAt < maxStreakMs) queueMicrotask(soon);
    else setImmediate(turn);
  }

  function soon(): void {
    process.nextTick(flush);
  }

  function turn(): void {
    turnedAt = performance.now();
    flush();
  }

  function flush(): void {
    if (!transactions) {
      open().then(flushWith, (error) => settle(queue.length, ({ reject }) => reject(error)));
      return;
    }
    flushWith(transactions);
  }

  function flushWith(opened: Transactions): void {
    transactions = opened;
    const batch = take();
    try {
      const outcomes = commit(opened, batch);
      busyTries = 0;
      settle(outcomes.length, (entry, index) => report(entry, outcomes[index] as Outcome));
    } catch (error) {
      failed(error, batch);
    }
  }

  function take(): Entry[] {
    if (alone > 0) return queue.slice(0, 1);
    let rows = 0;
    let count = 0;
    for (const { write } of queue) {
      rows += write.rows;
      if (count === maxEntries || (count > 0 && rows > maxRows)) break;
      count += 1;
    }
    return queue.slice(0, count);
  }

  function report({ write, resolve, reject }: Entry, outcome: Outcome): void {
    if ("error" in outcome) {
      reject(outcome.error);
    } else {
      if (write.run !== undefined) onCommit(write.run);
      resolve(outcome.value);
    }
  }

  function failed(error: unknown, batch: readonly Entry[]): void {
    if (isBusy(error)) {
      wait(error);
    } else if (batch.length > 1) {
      alone = batch.length;
      schedule();
    } else if (isInputOutput(error) && batch[0]?.hasFailed === false) {
      // What is written here may be the only record of something that was done; it is not done again, so this is.
      batch[0].hasFailed = true;
      schedule(retryMs);
    } else {
      settle(1, ({ write, reject }) => reject(storeFailure(error, `${write.attempt} in ${name}`, write.run)));
    }
  }

  function wait(error: unknown): void {
    const expired = queue.filter((entry) => waitedMs - entry.waitedMs >= busyTimeoutMs).length;
    const delayMs = backoffMs(busyTries++);
    waitedMs += delayMs;
    settle(expired, ({ write, reject }) => reject(stillBusy(error, write)), delayMs);
  }

  function stillBusy(error: unknown, { attempt, run }: Write<unknown>): StoreError {
    const held = holders().join(", ");
    const words = error instanceof Error ? error.message : String(error);
    return new StoreError(
      "busy",
      `Could not ${attempt} in ${name}: ${words}, and stayed so for ${busyTimeoutMs} ms. ` +
        `${held && `Known drivers: ${held}. `}Wait for the process that is writing, or stop it, then try again.`,
      { cause: error, runId: run },
    );
  }

  /** Takes the first `count` entries out, settles each, and goes on with the rest. */
  function settle(count: number, how: (entry: Entry, index: number) => void, delayMs = 0): void {
    const settled = queue.splice(0, count);
    alone = Math.max(0, alone - count);
    if (queue.length > 0) schedule(delayMs);
    else isScheduled = false;
    for (const [index, entry] of settled.entries()) how(entry, index);
    if (!isScheduled) for (const resolve of idlers.splice(0)) resolve();
  }

  return {
    add,
    idle: () => new Promise((resolve) => (isScheduled ? idlers.push(resolve) : resolve())),
  };
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Does the first of `entries`, as many as there is time for, in one transaction. Throws when none of them was done. */
function commit({ begin, commit, rollback }: Transactions, entries: readonly Entry[]): Outcome[] {
  const tx = begin();
  try {
    const outcomes: Outcome[] = [];
    const startedAt = performance.now();
    for (const entry of entries) {
      outcomes.push(perform(entry, tx));
      if (performance.now() - startedAt > maxWorkMs) break;
    }
    commit();
    return outcomes;
  } catch (error) {
    rollback();
    throw error;
  }
}

function perform({ write: { work } }: Entry, tx: Transaction): Outcome {
  try {
    return { value: work(tx) };
  } catch (error) {
    if (!isHarnessError(error)) throw error;
    return { error };
  }
}
