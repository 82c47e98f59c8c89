// The lifetime of one store: its connection, opened by the first question or write; its queue of writes; those who follow; and
// closing, which lets what is under way settle and then leaves nothing behind, neither a timer nor a file handle.
import { type RunId, type RunWatcher, StoreError } from "@harness/spec";
import { type CommitQueue, commitQueue, type Write } from "./commit-queue.js";
import { type Connection, type ConnectionOptions, connect, nameOf } from "./connection.js";
import { isBusy, storeFailure } from "./failures.js";
import { patiently } from "./patience.js";
import { transactions } from "./transaction.js";
import { watchers } from "./watchers.js";

export interface Handle {
  /** Asks the database. `attempt` completes "Could not …"; what the driver throws becomes a `StoreError`. */
  look<Value>(attempt: string, question: (connection: Connection) => Value): Promise<Value>;
  /** Writes in the transaction of this turn. */
  write<Value>(write: Write<Value>): Promise<Value>;
  watch(run: RunId, signal: AbortSignal): Promise<RunWatcher>;
  /** Has everyone who follows look again. */
  wakeAll(): void;
  /** Work of several questions: closing tells it by `signal`, whose reason is the error to reject with, and waits for its end. */
  during<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

const selectHolders =
  "select owner from leases where owner is not null and renewed_at + ttl_ms > unixepoch('subsec') * 1000 limit 3";

export function openHandle(options: ConnectionOptions): Handle {
  const name = nameOf(options.source);
  const { busyTimeoutMs } = options;
  const looking = new Set<Promise<unknown>>();
  let connection: Connection | undefined;
  let opening: Promise<Connection> | undefined;
  let closing: Promise<void> | undefined;
  let seen: string | number | undefined;
  const leaving = new AbortController();

  const { watch, wake, wakeAll, ...watching } = watchers(hasChanged);
  const queue: CommitQueue = commitQueue({ name, open: openForWriting, onCommit: wake, busyTimeoutMs, holders });

  /** One attempt at a time; a failed one is made again by whoever comes next. */
  function open(): Promise<Connection> {
    opening ??= connect(options).then(
      (opened) => {
        connection = opened;
        return opened;
      },
      (error) => {
        opening = undefined;
        throw storeFailure(error, `open the store ${name}`);
      },
    );
    return opening;
  }

  async function openForWriting() {
    const opened = await open();
    opened.assertWritable();
    return transactions(opened);
  }

  function hasChanged(): boolean {
    try {
      const before = seen;
      connection?.assertInPlace();
      seen = connection?.mark();
      return seen !== before;
    } catch (error) {
      // What is wrong is found by those who are woken, when they read.
      return !isBusy(error);
    }
  }

  function holders(): string[] {
    try {
      const rows = connection?.statement(selectHolders).all() as { readonly owner: string }[] | undefined;
      return rows?.map(({ owner }) => owner) ?? [];
    } catch {
      return [];
    }
  }

  function closed(): StoreError {
    return new StoreError("closed", `Could not use the store ${name}: it is closed. Open it again.`);
  }

  function look<Value>(attempt: string, question: (connection: Connection) => Value): Promise<Value> {
    return closing ? Promise.reject(closed()) : underWay(ask(attempt, question));
  }

  function underWay<Value>(work: Promise<Value>): Promise<Value> {
    const tracked = work.finally(() => looking.delete(tracked));
    looking.add(tracked);
    return tracked;
  }

  async function ask<Value>(attempt: string, question: (connection: Connection) => Value): Promise<Value> {
    try {
      const opened = connection ?? (await open());
      opened.assertInPlace();
      return await patiently(busyTimeoutMs, () => question(opened));
    } catch (error) {
      throw storeFailure(error, `${attempt} in ${name}`);
    }
  }

  async function finish(): Promise<void> {
    watching.close();
    leaving.abort(closed());
    await Promise.allSettled([queue.idle(), ...looking]);
    await opening?.catch(() => undefined);
    try {
      connection?.close();
    } catch (error) {
      throw storeFailure(error, `close the store ${name}`);
    }
  }

  return {
    look,
    write: (write) => (closing ? Promise.reject(closed()) : queue.add(write)),
    wakeAll,
    watch: (run, signal) => look(`watch run ${run}`, () => watch(run, signal)),
    during: (work) => (closing ? Promise.reject(closed()) : underWay(work(leaving.signal))),
    close: () => (closing ??= finish()),
  };
}
