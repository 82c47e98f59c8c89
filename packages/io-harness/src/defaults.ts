// The defaults for this machine: SQLite in the platform's state folder, its strongest sandbox, the workspace tools. What
// the caller passes wins; a store that is opened here is closed here, once the run is over and nobody reads it any more.

import type { ContractInput, DriveOptions, RunHandle } from "@harness/core";
import type { RunEvent, Store } from "@harness/spec";
import { defaultStorePath, sqliteStore } from "@harness/store-sqlite";
import { detectToolchain, workspaceTools } from "@harness/workspace";
import { nativeSandbox } from "./native-sandbox.js";

/** `options` with the defaults of this machine behind them. */
export function withDefaults<Options extends Partial<DriveOptions>>(options: Options) {
  return {
    sandbox: nativeSandbox(),
    tools: workspaceTools(),
    ...options,
    store: options.store ?? storeHere(),
  };
}

/** This machine's store, opened. */
export function storeHere(): Store {
  return sqliteStore({ path: defaultStorePath() });
}

/** `contract` with the commands of the toolchain that its workspace is recognised to have; those it names itself win. */
export function withToolchain(contract: ContractInput): ContractInput {
  // What is no contract is refused by name later.
  const found = typeof contract?.workspace === "string" ? detectToolchain(contract.workspace) : undefined;
  return found ? { ...contract, toolchain: { ...found, ...contract.toolchain } } : contract;
}

/** Closes `store` when `work` is over. */
export async function closing<Value>(store: Store | undefined, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } finally {
    await store?.close();
  }
}

/** Closes `store` when the run is over and the last reader of its events has left. */
export function closingAfterReaders(store: Store, handle: RunHandle): RunHandle {
  let holders = 1;
  const leave = async () => {
    holders -= 1;
    if (holders === 0) await store.close();
  };
  async function* events(): AsyncGenerator<RunEvent> {
    holders += 1;
    try {
      yield* handle;
    } finally {
      await leave();
    }
  }
  const result = handle.result.finally(leave);
  result.catch(() => {});
  return { runId: handle.runId, live: handle.live, result, [Symbol.asyncIterator]: events };
}
