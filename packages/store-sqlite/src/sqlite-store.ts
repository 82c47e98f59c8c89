// The adapter: what it can be given, and what it is put together from.
import type { Store, StoreUpkeep } from "@harness/spec";
import { checkStore } from "./check/check-store.js";
import type { Source } from "./connection.js";
import type { SqliteDriver } from "./driver.js";
import { openHandle } from "./handle.js";
import { owners as ownersOfThisHost } from "./owners.js";
import { storeOver } from "./store-over.js";
import { upkeepOver } from "./upkeep/upkeep.js";

interface CommonOptions {
  /**
   * What a resolved write survives: `power` a power cut (synchronous FULL), `process` the end of the process, and of a power
   * cut all but the last moments (synchronous NORMAL). Default `power`.
   */
  readonly durability?: "power" | "process";
  /** How long a lock held by another process is waited for, in ms. The event loop goes on meanwhile. Default 5,000. */
  readonly busyTimeoutMs?: number;
}

/** Where the store is: a file, or a connection that is open already. */
export type SqliteStoreOptions = CommonOptions &
  (
    | {
        /** The file; its folder is made where there is none. Beside it lie its `-wal` and `-shm`, which belong to it. */
        readonly path: string;
        /** Only read: nothing is created, and every write rejects with `StoreError` (`readonly`). Default false. */
        readonly readonly?: boolean;
        /** Do not refuse NFS, SMB, FUSE and the like, where a second machine can destroy the file. Default false. */
        readonly allowNetworkFilesystem?: boolean;
      }
    | {
        /** A connection of yours to a file that holds a store or nothing. It stays open when the store is closed. */
        readonly database: SqliteDriver;
      }
  );

/**
 * A `Store` in one SQLite file. The file is opened by the first method that is called; a file that cannot be opened, or is
 * not a store, makes that method reject with `StoreError`. Throws `ConfigError` for a path that names no file.
 *
 * Upkeep: `delete` and `archive` concern a run with everything under it, and reject with `RunConflictError` while it may be driven;
 * `archive` rejects with `StoreError` (`constraint`) for a run that has not ended. `compact` rejects with `StoreError` (`busy`)
 * while any run is driven.
 *
 * `check` looks at the file on its own, whether it can be opened or not, and makes none where there is none. Anyone may write
 * meanwhile, and the event loop goes on; a connection of yours is looked over by SQLite in one go. It rejects with `StoreError`
 * when the file cannot be looked at, as when it stays locked or may not be read.
 */
export function sqliteStore(options: SqliteStoreOptions): Store & StoreUpkeep {
  const { durability = "power", busyTimeoutMs = 5_000 } = options;
  const opened = { source: sourceOf(options), durability, busyTimeoutMs };
  const handle = openHandle(opened);
  const owners = ownersOfThisHost();
  return {
    ...storeOver(handle, owners),
    ...upkeepOver(handle, { source: opened.source, busyTimeoutMs, owners }),
    check: ({ mend = false } = {}) =>
      handle.during((signal) => checkStore({ ...opened, mend, write: handle.write, signal })),
  };
}

function sourceOf(options: SqliteStoreOptions): Source {
  if ("database" in options) return { database: options.database };
  const { path, readonly = false, allowNetworkFilesystem = false } = options;
  return { path, readonly, allowNetworkFilesystem };
}
