// Starting a contract on a terminal: what `harness run` does once it has read its files.
import { resolve } from "node:path";
import type { ContractInput, DriveOptions } from "@harness/core";
import type { PriceTable } from "@harness/spec";
import { run } from "io-harness";
import type { AnswersFrom } from "./answers-from.js";
import { driveWatched } from "./drive-watched.js";
import type { Terminal } from "./process-terminal.js";
import { chooseProvider } from "./provider-choice.js";
import { storePlace, withStore } from "./stores.js";

export interface RunOrder {
  readonly contract: ContractInput;
  /**
   * `anthropic`, `openai`, `openrouter`, `compatible`, or a preset's name; else a module: a file (relative to the terminal's
   * folder, or a `file:` URL) or a package. Recorded with the run; keys are not.
   */
  readonly provider: string;
  /** A file, relative to the terminal's folder, for the model's answers to be kept in; there must be none yet. Default: they are not. */
  readonly record?: string | undefined;
  /** What models cost. Default: nothing is known of it. */
  readonly prices?: PriceTable | undefined;
  /** See `DriveOptions`. */
  readonly unpriced?: DriveOptions["unpriced"];
  /** Default: `Policy.standard()`. */
  readonly policy?: DriveOptions["policy"];
  /** Where the answers come from to what the run asks a person. Default: from nobody, and it pauses. */
  readonly answersFrom?: AnswersFrom | undefined;
  /** Relative to the terminal's folder. Default: this machine's store. */
  readonly storePath?: string | undefined;
}

/**
 * Runs `order` with this machine's sandbox and tools, showing it as it goes. Resolves to the exit code for its outcome, or
 * for what went wrong in its place, which it says on standard error. Rejects with `ConfigError` for a provider or a store
 * that cannot be had.
 */
export async function runContract(terminal: Terminal, order: RunOrder): Promise<number> {
  const { contract, policy, storePath, prices, unpriced, answersFrom } = order;
  const provider = await chooseProvider(order.provider, terminal, contract.model);
  const recording = order.record === undefined ? undefined : { path: resolve(terminal.cwd, order.record) };
  const given = {
    ...(policy === undefined ? {} : { policy }),
    ...(prices === undefined ? {} : { prices }),
    ...(unpriced === undefined ? {} : { unpriced }),
  };
  const stored = storePlace(terminal, storePath);
  return withStore(stored.path, (store) =>
    driveWatched(terminal, { stored, store, provider, recording, answersFrom }, (watched) =>
      run(contract, { ...watched, ...given }),
    ),
  );
}
