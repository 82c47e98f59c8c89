// The store a command works on. Commands that only look never create one: a typo in a path must not make a file.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigError, type Store, type StoreUpkeep } from "@harness/spec";
import { defaultStorePath, sqliteStore } from "@harness/store-sqlite";
import { type CommandPlace, commandPlace } from "./command-line.js";
import type { Terminal } from "./process-terminal.js";

export interface StorePlace {
  readonly path: string;
  readonly place: CommandPlace;
}

/** The store named with `--store`, or this machine's. A named one is part of every command that is printed. */
export function storePlace(terminal: Terminal, given: string | undefined): StorePlace {
  const path = resolve(terminal.cwd, given ?? defaultStorePath(terminal.env));
  return { path, place: commandPlace(terminal, given === undefined ? undefined : path) };
}

/** The store of this machine, and its upkeep. */
export type KeptStore = Store & StoreUpkeep;

/** Opens the store for `work` and closes it after. Unless it is `readonly`, one is made where there is none. */
export async function withStore<Value>(
  path: string,
  work: (store: KeptStore) => Promise<Value>,
  { readonly = false }: { readonly readonly?: boolean } = {},
): Promise<Value> {
  const store = sqliteStore({ path, readonly });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The same for a store that must be there already. Throws `ConfigError` where there is none. */
export async function withExistingStore<Value>(
  path: string,
  work: (store: KeptStore) => Promise<Value>,
  options?: { readonly readonly?: boolean },
): Promise<Value> {
  if (!(await exists(path)))
    throw new ConfigError(`There is no store at ${path}. Run a contract first, or pass --store.`);
  return withStore(path, work, options);
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
