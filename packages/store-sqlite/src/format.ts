// Whether a file is a store, and of which format. An empty file is made into one, and one of a former format brought up, by
// whoever comes first; those who come at the same moment wait, look again, and find it done.
import { StoreError } from "@harness/spec";
import type { SqliteDriver, SqliteStatement } from "./driver.js";
import { isReadonlyFailure } from "./failures.js";
import { patiently } from "./patience.js";
import { applicationId, formatVersion, layouts, views } from "./schema.js";

export interface FormatOptions {
  readonly name: string;
  readonly driver: SqliteDriver;
  readonly statement: (sql: string) => SqliteStatement;
  readonly isReadonly: boolean;
  readonly busyTimeoutMs: number;
}

/** Resolves to the file's format: newer than the one that is written, or older, where the file may not be written to. */
export async function findFormat(options: FormatOptions): Promise<number> {
  return patiently(options.busyTimeoutMs, () => {
    const found = read(options);
    if (options.isReadonly) return found ?? refuse(options.name, "it is empty");
    if (found !== undefined && found > formatVersion) return found;
    useLog(options);
    return found === formatVersion ? found : bringUp(options, found);
  });
}

/** In one statement, so that it is told of one moment: the file may just be becoming a store. */
const selectMarks = `select application_id as id, user_version as version, (select count(*) from sqlite_schema) as things
  from pragma_application_id, pragma_user_version`;

/** `undefined` for an empty database. Throws `StoreError` for one that belongs to something else. */
function read({ name, statement }: FormatOptions): number | undefined {
  const { id, version, things } = statement(selectMarks).get() as Record<"id" | "version" | "things", number>;
  if (id === applicationId && version > 0) return version;
  const isEmpty = id === 0 && version === 0 && things === 0;
  return isEmpty ? undefined : refuse(name, "it is a database of something else");
}

function refuse(name: string, reason: string): never {
  throw new StoreError(
    "corrupt",
    `Could not open ${name}: ${reason}, not a store of runs. Check the path, or restore a copy.`,
  );
}

/** In WAL mode readers and the writer do not wait for one another. A database in memory has no log and needs none. */
function useLog({ name, statement }: FormatOptions): void {
  const mode = (sql: string) => (statement(sql).get() as { readonly journal_mode: string }).journal_mode;
  if (["wal", "memory"].includes(mode("pragma journal_mode"))) return;
  if (mode("pragma journal_mode = wal") !== "wal") {
    throw new StoreError(
      "other",
      `Could not open ${name}: a write-ahead log cannot be kept there. Choose a local disk.`,
    );
  }
}

/** What may not be brought up, because it may not be written to, can still be looked at. */
function bringUp(options: FormatOptions, found: number | undefined): number {
  try {
    return layOut(options);
  } catch (error) {
    if (found !== undefined && isReadonlyFailure(error)) return found;
    throw error;
  }
}

/** Goes through every layout that the file has not had, in one transaction. */
function layOut(options: FormatOptions): number {
  const { driver } = options;
  const marks = `pragma application_id = ${applicationId}; pragma user_version = ${formatVersion};`;
  driver.exec("begin immediate");
  try {
    const former = read(options) ?? 0;
    if (former < formatVersion) driver.exec(layouts.slice(former).join("") + views + marks);
    driver.exec("commit");
    return Math.max(former, formatVersion);
  } catch (error) {
    rollback((sql) => driver.exec(sql));
    throw error;
  }
}

/** Some failures have ended the transaction already, and ending it twice is an error. */
export function rollback(execute: (sql: string) => unknown): void {
  try {
    execute("rollback");
  } catch {
    // Nothing is left to undo.
  }
}
