// harness run <contract.json>
import { dirname, resolve } from "node:path";
import type { ContractInput } from "@harness/core";
import { Policy } from "@harness/policy";
import { ConfigError, isJsonObject } from "@harness/spec";
import { type AnswersFlags, answersFrom } from "../answers-from.js";
import { readJsonFile } from "../json-file.js";
import { readPrices } from "../prices-file.js";
import type { Terminal } from "../process-terminal.js";
import { replayOf } from "../provider-choice.js";
import { runContract } from "../run-contract.js";

export interface RunFlags extends AnswersFlags {
  readonly provider?: string;
  readonly model?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly prices?: string;
  readonly unpriced?: "refuse" | "allow";
  readonly policy?: string;
  readonly store?: string;
}

export async function runCommand(terminal: Terminal, file: string, flags: RunFlags): Promise<number> {
  const { model, record, replay, unpriced, store: storePath } = flags;
  const provider = replay === undefined ? flags.provider : replayOf(replay, terminal);
  const found = await readContract(resolve(terminal.cwd, file));
  const contract = model === undefined ? found : { ...found, model };
  const policy = flags.policy === undefined ? {} : { policy: await readPolicy(terminal, flags.policy) };
  if (provider === undefined) {
    throw new ConfigError(
      "No provider was named. Pass --provider <name>: anthropic, openai, openrouter, compatible, a preset as groq or ollama, or an ES module that exports `provider`.",
    );
  }
  const prices = await readPrices(terminal, flags.prices);
  const from = answersFrom(terminal, flags);
  const order = { contract, provider, record, prices, unpriced, storePath, answersFrom: from, ...policy };
  return runContract(terminal, order);
}

/** A contract from a file. Its workspace is relative to the file, so that the two can be moved together. */
async function readContract(path: string): Promise<ContractInput> {
  const found = await readJsonFile(path, "contract");
  if (!isJsonObject(found)) throw new ConfigError(`The contract ${path} is not a JSON object.`);
  const { workspace } = found;
  // What it holds is checked when the run is started, key by key.
  const contract = typeof workspace === "string" ? { ...found, workspace: resolve(dirname(path), workspace) } : found;
  return contract as unknown as ContractInput;
}

/** A policy from a file, relative to where the command was typed. */
export async function readPolicy({ cwd }: Terminal, file: string): Promise<Policy> {
  return Policy.fromJSON(await readJsonFile(resolve(cwd, file), "policy"));
}
