// Starting a contract on a terminal: what `harness run` does once it has read its files.
import type { ContractInput, DriveOptions } from "@harness/core";
import { run } from "io-harness";
import { driveWatched } from "./drive-watched.js";
import type { Terminal } from "./process-terminal.js";
import { locateProvider } from "./provider-module.js";
import { storePlace, withStore } from "./stores.js";

export interface RunOrder {
  readonly contract: ContractInput;
  /** The provider's module: a file (relative to the terminal's folder, or a `file:` URL) or a package. Recorded with the run. */
  readonly provider: string;
  /** Default: `Policy.standard()`. */
  readonly policy?: DriveOptions["policy"];
  /** Relative to the terminal's folder. Default: this machine's store. */
  readonly storePath?: string | undefined;
}

/**
 * Runs `order` with this machine's sandbox and tools, showing it as it goes. Resolves to the exit code for its outcome, or
 * for what went wrong in its place, which it says on standard error. Rejects with `ConfigError` for a provider or a store
 * that cannot be had.
 */
export async function runContract(terminal: Terminal, order: RunOrder): Promise<number> {
  const { contract, policy, storePath } = order;
  const provider = await locateProvider(order.provider, terminal.cwd);
  const stored = storePlace(terminal, storePath);
  return withStore(stored.path, (store) =>
    driveWatched(terminal, { stored, store, provider }, (watched) =>
      run(contract, { ...watched, ...(policy === undefined ? {} : { policy }) }),
    ),
  );
}
