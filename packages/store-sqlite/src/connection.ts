// An open database that is known to be a store: its file prepared, its format checked, its settings made. Everything else in
// this package goes through `statement`, so that each SQL text is compiled once.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { ConfigError, StoreError } from "@harness/spec";
import { openDriver, type SqliteDriver, type SqliteStatement } from "./driver.js";
import { preparePlace } from "./filesystem.js";
import { findFormat } from "./format.js";
import { formatVersion } from "./schema.js";

export type Source =
  | { readonly path: string; readonly readonly: boolean; readonly allowNetworkFilesystem: boolean }
  | { readonly database: SqliteDriver };

export interface ConnectionOptions {
  readonly source: Source;
  readonly durability: "power" | "process";
  readonly busyTimeoutMs: number;
  /** Only look at what is there, wherever it lies: make no file and no tables, and change no setting of the file. Default false. */
  readonly isInspection?: boolean;
}

export interface Connection {
  /** The file's, which may be newer than the one that is written. */
  readonly format: number;
  /** Others may write through this very connection, which SQLite does not tell from our own writes. */
  readonly isShared: boolean;
  /**
   * Throws `StoreError` soon after the file was removed or another was put in its place. SQLite goes on with what it has open,
   * and whatever it would write then is lost.
   */
  assertInPlace(): void;
  /** Throws `StoreError` where this file may only be read. */
  assertWritable(): void;
  /** Changes whenever another has written to the database. */
  mark(): string | number;
  statement(sql: string): SqliteStatement;
  close(): void;
}

// `synchronous` is said explicitly: the driver is compiled so that in WAL mode only checkpoints are synced. A checkpoint is made by
// the commit that fills the log, and the event loop stands still meanwhile; where every commit is synced, a shorter log keeps
// that short and costs next to nothing.
const settings = {
  power: "pragma synchronous = full; pragma fullfsync = on; pragma wal_autocheckpoint = 400",
  process: "pragma synchronous = normal",
} as const;

/** Rejects with what the driver or the file system threw, or with `StoreError` for a file that is not a store. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { source, durability, busyTimeoutMs, isInspection = false } = options;
  const name = nameOf(source);
  const isShared = "database" in source;
  const isReadonly = isInspection || (!isShared && source.readonly);
  if (!isShared && !isReadonly) await preparePlace(name, source);
  // An inspection opens a file that may be written to in the ordinary way: closing it then leaves nothing beside the file.
  const driver = isShared
    ? source.database
    : await openDriver(name, { readonly: source.readonly, fileMustExist: isReadonly });
  const close = () => void (isShared || driver.close());
  try {
    const statement = memoised(driver);
    const format = await findFormat({ name, driver, statement, isReadonly, busyTimeoutMs });
    driver.exec(settings[durability] ?? settings.power);
    return {
      assertInPlace: isShared ? () => {} : placeGuard(name),
      format,
      isShared,
      assertWritable: () => assertWritable(name, isReadonly, format),
      mark: () => markOf(statement, isShared),
      statement,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** How messages call it. A path is made absolute, so that none is read as a URI. */
export function nameOf(source: Source): string {
  if ("database" in source) return "the given database";
  if (source.path === "" || source.path === ":memory:") {
    throw new ConfigError(
      `Not a path for a store: ${JSON.stringify(source.path)}. Name a file, or use a store in memory.`,
      {
        path: ["path"],
      },
    );
  }
  return resolve(source.path);
}

function memoised(driver: SqliteDriver): (sql: string) => SqliteStatement {
  const known = new Map<string, SqliteStatement>();
  return (sql) => {
    let statement = known.get(sql);
    if (!statement) {
      statement = driver.prepare(sql);
      known.set(sql, statement);
    }
    return statement;
  };
}

/** Looking costs a tenth of a small commit, so it is not done for every one, nor whenever a follower asks. */
const lookEveryMs = 200;

function placeGuard(path: string): () => void {
  const opened = identityOf(path);
  let lookedAt = performance.now();
  return () => {
    const now = performance.now();
    if (now - lookedAt < lookEveryMs) return;
    if (identityOf(path) !== opened) {
      throw new StoreError(
        "other",
        `Could not go on with ${path}: the file was removed or replaced while it was open. Put it back and open it again.`,
      );
    }
    lookedAt = now;
  };
}

/** Which file lies at `path`; `undefined` where there is none. */
function identityOf(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  return file && `${file.dev} ${file.ino}`;
}

/** SQLite counts the commits of other connections. What is done through this one by others shows in the rows it changed. */
function markOf(statement: Connection["statement"], isShared: boolean): string | number {
  const { data_version } = statement("pragma data_version").get() as { readonly data_version: number };
  if (!isShared) return data_version;
  const { changes } = statement("select total_changes() as changes").get() as { readonly changes: number };
  return `${data_version} ${changes}`;
}

function assertWritable(name: string, isReadonly: boolean, format: number): void {
  if (isReadonly) {
    throw new StoreError(
      "readonly",
      `Could not write to ${name}: it was opened for reading only. Open it without \`readonly\`.`,
    );
  }
  if (format > formatVersion) {
    throw new StoreError(
      "newer-format",
      `Could not write to ${name}: it has format ${format}, and this package writes format ${formatVersion}. ` +
        "It can be read as it is; update this package to write to it.",
    );
  }
}
