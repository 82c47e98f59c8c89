// The part of a SQLite driver that is called here, as an interface of our own, and the driver that is used when none is given.
// It is loaded on first use: importing this package loads no native code.
import { StoreError } from "@harness/spec";

/** A prepared statement. Values are strings, numbers, byte arrays and `null`, by position; rows are objects by column name. */
export interface SqliteStatement {
  run(...values: readonly unknown[]): { readonly changes: number | bigint };
  get(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): unknown[];
  iterate(...values: readonly unknown[]): Iterable<unknown>;
  /** From here on rows are arrays, in the order of the columns. Need not be there; where it is, long runs are read faster. */
  raw?(): Pick<SqliteStatement, "all">;
}

/** An open connection. A `Database` of better-sqlite3 is one, as it is by default. Errors carry SQLite's name for them in `code`. */
export interface SqliteDriver {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

export interface DriverOptions {
  readonly readonly?: boolean;
  /** Throw where there is no file, rather than make one. */
  readonly fileMustExist?: boolean;
}

/** Opens the file at `path`. It never waits for a lock: waiting is done without blocking the event loop. */
export async function openDriver(path: string, options: DriverOptions = {}): Promise<SqliteDriver> {
  const { default: Database } = await import("better-sqlite3").catch(unavailable);
  try {
    return new Database(path, { ...options, timeout: 0 });
  } catch (error) {
    if (isMissingBinary(error)) return unavailable(error);
    throw error;
  }
}

/** The native part is found when the first database is opened, not on import. */
function isMissingBinary(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === "ERR_DLOPEN_FAILED" || String(message).startsWith("Could not locate the bindings file");
}

function unavailable(cause: unknown): never {
  const words = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
  throw new StoreError(
    "other",
    `Could not load better-sqlite3 for Node ${process.version} on ${process.platform}-${process.arch}: ${words}. ` +
      "Install a C++ compiler, make and Python 3, then run `npm rebuild better-sqlite3`, or use Node of the line it was built for.",
    { cause },
  );
}
