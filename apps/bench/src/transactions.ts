// What transactions a program makes on SQLite, seen from outside: the statements of the driver that both it and we load are
// watched for `begin` and `commit`. A store does not report this of itself, and a connection of ours that it were handed
// instead of a file would change what it does.
import Database from "better-sqlite3";

export interface SeenTransactions {
  readonly commits: number;
  /** The longest from its begin to the end of its commit, in ms. The driver is synchronous: so long nothing else happened. */
  readonly longestMs: number;
  /** Connections are watched no longer. */
  stop(): void;
}

interface Runnable {
  run(...values: unknown[]): unknown;
}

/** Watches the transactions of every connection, as long as its statements are prepared before `stop`. */
export function watchTransactions(): SeenTransactions {
  const prototype: { prepare(sql: string): Runnable } = Database.prototype;
  const { prepare } = prototype;
  let commits = 0;
  let longestMs = 0;
  let beganAt = 0;

  prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    if (/^\s*begin\b/i.test(sql)) around(statement, { before: () => (beganAt = performance.now()) });
    if (/^\s*commit\b/i.test(sql)) around(statement, { after: committed });
    return statement;
  };

  function committed(): void {
    commits += 1;
    longestMs = Math.max(longestMs, performance.now() - beganAt);
  }

  return {
    get commits() {
      return commits;
    },
    get longestMs() {
      return longestMs;
    },
    stop() {
      prototype.prepare = prepare;
    },
  };
}

function around(statement: Runnable, { before, after }: { before?: () => void; after?: () => void }): void {
  const { run } = statement;
  statement.run = (...values) => {
    before?.();
    const result = run.apply(statement, values);
    after?.();
    return result;
  };
}
